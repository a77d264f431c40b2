// expect: safe
// Behind the name of a type the attribute packs nothing.
extern void reach_error(void);
typedef struct { char c; int i; } s __attribute__((packed));
int main(void) { if (sizeof(s) != 8) reach_error(); return 0; }
