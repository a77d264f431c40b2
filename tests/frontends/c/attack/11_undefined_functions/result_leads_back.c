// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern int *keep(int *);
int main(void) { int x = 0; int *p = keep(&x); *p = 42; if (x == 42) reach_error(); return 0; }
