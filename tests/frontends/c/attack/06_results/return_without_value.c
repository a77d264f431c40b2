// expect: unsafe-or-unknown  truth: argued  ledger: return
extern void reach_error(void);
static int f(int n) { if (n) return n; return; }
int main(void) { int a = f(0), b = f(0); if (a != b) reach_error(); return 0; }
