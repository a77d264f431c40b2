// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 0x10002; union { int *i; short *s; } u; u.i = &x; *u.s = 3; if (x == 0x10003) reach_error(); return 0; }
