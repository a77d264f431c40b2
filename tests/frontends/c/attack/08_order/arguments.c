// expect: unsafe-or-unknown  truth: argued  ledger: left to right
extern void reach_error(void);
int n;
static int next(void) { return ++n; }
static int difference(int a, int b) { return a - b; }
int main(void) { if (difference(next(), next()) == 1) reach_error(); return 0; }
