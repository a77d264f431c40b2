// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
int main(void) { int *p = &x; unsigned long n = *(unsigned long *)&p; if (n > 0x7fffffff) reach_error(); return 0; }
