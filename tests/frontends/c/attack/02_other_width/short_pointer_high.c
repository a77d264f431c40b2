// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 0x10002; short *p = (short *)&x; p[1] = 3; if (x == 0x30002) reach_error(); return 0; }
