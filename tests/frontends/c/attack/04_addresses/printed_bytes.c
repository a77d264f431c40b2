// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
int main(void) { int *p = &x; unsigned char *b = (unsigned char *)&p; if (b[0] == 0x37) reach_error(); return 0; }
