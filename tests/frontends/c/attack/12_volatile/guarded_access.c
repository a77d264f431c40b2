// expect: unsafe-or-unknown  truth: argued
// The read of v does not make *p happen where p is null.
extern void reach_error(void);
volatile int v;
int main(void) { int *p = 0; if (p && *p == v) return 1; reach_error(); return 0; }
