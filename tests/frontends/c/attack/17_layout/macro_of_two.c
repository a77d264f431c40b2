// expect: safe
// Both structures stand in one place of the text.
extern void reach_error(void);
#define BOTH struct a { char c; int i; }; struct b { char c; int i; } __attribute__((packed));
BOTH
int main(void) { if (sizeof(struct a) != 8 || sizeof(struct b) != 5) reach_error(); return 0; }
