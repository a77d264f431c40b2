// expect: unsafe-or-unknown  truth: argued  ledger: left to right
extern void reach_error(void);
int n = 1;
static int twice(void) { n *= 2; return n; }
static int more(void) { n += 1; return n; }
int main(void) { if (twice() + more() == 6) reach_error(); return 0; }
