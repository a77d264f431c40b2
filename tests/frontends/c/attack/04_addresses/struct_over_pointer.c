// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
struct number { unsigned long n; };
int main(void) { int *p = &x; struct number v = *(struct number *)&p; if (v.n % 4096 != 0) reach_error(); return 0; }
