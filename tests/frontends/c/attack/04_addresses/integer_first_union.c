// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
union { unsigned long n; int *p; } u;
int main(void) { u.p = &x; if (u.n % 4096 != 0) reach_error(); return 0; }
