// expect: unsafe-or-unknown  truth: argued  ledger: left to right
extern void reach_error(void);
int n, a[3][3];
static int next(void) { return n++; }
int main(void) { a[1][0] = 1; if (a[next()][next()]) reach_error(); return 0; }
