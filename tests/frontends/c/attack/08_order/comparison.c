// expect: unsafe-or-unknown  truth: argued  ledger: left to right
extern void reach_error(void);
int n;
static int next(void) { return ++n; }
int main(void) { if (next() > next()) reach_error(); return 0; }
