// expect: unsafe-or-unknown  models: ILP32  truth: argued
extern void reach_error(void);
int x;
union { long long l; int *p; } u;
int main(void) { u.l = 0; u.p = &x; if (u.l % 4096 != 0) reach_error(); return 0; }
