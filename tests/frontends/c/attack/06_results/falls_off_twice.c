// expect: unsafe-or-unknown  truth: argued  ledger: return
extern void reach_error(void);
int x;
static int nothing(void) { x = x + 1; }
int main(void) { int a = nothing(); int b = nothing(); if (a != b) reach_error(); return 0; }
