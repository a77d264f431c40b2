// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
volatile int v; int rec(int n) { return n ? rec(n - 1) + (v == 1) : 0; } int main(void) { if (rec(2) == 1) reach_error(); return 0; }
