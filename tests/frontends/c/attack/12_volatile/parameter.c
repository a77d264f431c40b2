// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
static int f(volatile int a, volatile int b[2]) { return a != 1 && b[1] != 2; }
int main(void) { int b[2] = {1, 2}; if (f(1, b)) reach_error(); return 0; }
