// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 0x10002, *i = &x; short **p = (short **)&i; **p = 3; if (x == 0x10003) reach_error(); return 0; }
