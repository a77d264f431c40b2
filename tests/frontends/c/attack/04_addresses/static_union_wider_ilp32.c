// expect: unsafe-or-unknown  models: ILP32  truth: argued
extern void reach_error(void);
int x;
union { int *p; long long l; } u = {.p = &x};
int main(void) { if (u.l % 4096 != 0) reach_error(); return 0; }
