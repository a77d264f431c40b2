// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 0x100; _Bool *p = (_Bool *)&x; *p = 1; if (x == 0x101) reach_error(); return 0; }
