// expect: unsafe-or-unknown
extern void reach_error(void);
static void low(short *p) { *p = 3; }
int main(void) { int x = 0x10002; low((short *)&x); if (x == 0x10003) reach_error(); return 0; }
