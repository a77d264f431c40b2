// expect: unsafe-or-unknown  truth: argued  ledger: initialised
extern void reach_error(void);
static int value(void) { int x; return x; }
int main(void) { if (value() != value()) reach_error(); return 0; }
