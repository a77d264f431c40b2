// expect: unsafe-or-unknown  truth: argued  ledger: constant
extern void reach_error(void);
int x;
int main(void) { if (&x == (int *)0x601040) reach_error(); return 0; }
