// expect: unsafe-or-unknown  truth: argued  ledger: left to right
// C11 6.7.9p23: the initialisers of a list are indeterminately sequenced.
extern void reach_error(void);
int n;
static int next(void) { return ++n; }
int main(void) { int a[2] = {next(), next()}; if (a[0] == 2) reach_error(); return 0; }
