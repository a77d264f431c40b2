// expect: unsafe-or-unknown  truth: argued  ledger: initialised
// Back to a place before its declaration the object is another one when control passes that again.
extern void reach_error(void);
int main(void) { int n = 0; again:; int x; if (n == 0) { x = 5; n = 1; goto again; } if (x != 5) reach_error(); return 0; }
