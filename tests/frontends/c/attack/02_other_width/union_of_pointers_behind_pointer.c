// expect: unsafe-or-unknown
extern void reach_error(void);
union both { int *i; short *s; };
static void low(union both *u) { *u->s = 3; }
int main(void) { int x = 0x10002; union both u; u.i = &x; low(&u); if (x == 0x10003) reach_error(); return 0; }
