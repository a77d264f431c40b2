// expect: unsafe-or-unknown  truth: argued
// Nothing is promised about an address as a number.
extern void reach_error(void);
int x;
union { int *p; unsigned long n; } u;
int main(void) { u.p = &x; if (u.n % 4096 != 0) reach_error(); return 0; }
