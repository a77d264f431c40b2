// expect: safe
extern void reach_error(void);
#pragma pack(push, 1)
struct a { char c; int i; };
#pragma pack(pop)
struct b { char c; int i; };
int main(void) { if (sizeof(struct a) != 5 || sizeof(struct b) != 8) reach_error(); return 0; }
