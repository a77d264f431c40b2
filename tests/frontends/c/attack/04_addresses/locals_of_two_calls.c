// expect: unsafe-or-unknown  truth: argued  ledger: distinct
extern void reach_error(void);
static int *at(void) { int x = 0; int *p = &x; return p; }
static int *other(void) { int y = 0; int *p = &y; return p; }
int main(void) { if (at() == other()) reach_error(); return 0; }
