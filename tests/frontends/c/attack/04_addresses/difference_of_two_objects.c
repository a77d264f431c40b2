// expect: unsafe-or-unknown  truth: argued  ledger: different objects|leaves an object|outside an object
extern void reach_error(void);
int x, y;
int main(void) { int *p = &x, *q = &y; if (q - p == 1) reach_error(); return 0; }
