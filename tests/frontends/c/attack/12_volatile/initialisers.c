// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
volatile int v; int main(void) { int a[3] = { v, v, [1] = v }; if (a[0] == 1 && a[1] == 2) reach_error(); return 0; }
