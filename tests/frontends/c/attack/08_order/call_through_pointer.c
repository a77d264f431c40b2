// expect: unsafe-or-unknown  truth: argued  ledger: left to right
extern void reach_error(void);
static int one(int x) { return 1; }
static int two(int x) { return 2; }
int (*f)(int) = one;
static int change(void) { f = two; return 0; }
int main(void) { if (f(change()) == 2) reach_error(); return 0; }
