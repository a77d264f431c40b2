// expect: unsafe-or-unknown
extern void reach_error(void);
static void low(void *at) { short *p = at; *p = 3; }
int main(void) { int x = 0x10002; low(&x); if (x == 0x10003) reach_error(); return 0; }
