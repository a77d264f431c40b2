// expect: unsafe-or-unknown  truth: argued  ledger: constant|leaves an object|outside an object
extern void reach_error(void);
// One behind the end of an object may be the address of another one (6.5.9, 6).
int x[1], y[1];
int main(void) { int *p = x + 1, *q = y; if (p == q) reach_error(); return 0; }
