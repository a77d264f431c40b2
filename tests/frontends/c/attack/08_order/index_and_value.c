// expect: unsafe-or-unknown  truth: argued  ledger: left to right
extern void reach_error(void);
int i, a[2];
static int next(void) { return ++i; }
int main(void) { a[i] = next(); if (a[1] == 1) reach_error(); return 0; }
