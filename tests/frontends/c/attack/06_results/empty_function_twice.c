// expect: unsafe-or-unknown  truth: argued  ledger: return
// Nothing is known of what it returns, and not that it is the same twice.
extern void reach_error(void);
static int nothing(void) {}
int main(void) { int a = nothing(), b = nothing(); if (a != b) reach_error(); return 0; }
