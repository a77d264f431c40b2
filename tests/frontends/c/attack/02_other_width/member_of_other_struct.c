// expect: unsafe-or-unknown
extern void reach_error(void);
struct a { int n; int *p; };
struct b { int n; short *p; };
static void low(struct b *b) { *b->p = 3; }
int main(void) { int x = 0x10002; struct a a = {1, &x}; low((struct b *)&a); if (x == 0x10003) reach_error(); return 0; }
