// expect: unsafe-or-unknown  truth: argued  ledger: constant
extern void reach_error(void);
int x;
union { int *p; unsigned long n; } u;
int main(void) { u.p = &x; if (u.n == 0x1000) reach_error(); return 0; }
