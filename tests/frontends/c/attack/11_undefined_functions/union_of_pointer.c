// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void set(unsigned long);
int main(void) { int x = 0; union { int *p; unsigned long n; } u; u.p = &x; set(u.n); if (x == 42) reach_error(); return 0; }
