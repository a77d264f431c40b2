// expect: safe-or-unknown
extern void reach_error(void);
int main(void) { unsigned x = 0x04030201u; unsigned char *p = (unsigned char *)&x; for (int i = 0; i < 4; i++) if (p[i] != i + 1) reach_error(); return 0; }
