// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
union { unsigned long n; int *p; } u = {.p = &x};
int main(void) { if (u.n % 4096 != 0) reach_error(); return 0; }
