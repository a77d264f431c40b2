// expect: safe-or-unknown  truth: argued  ledger: const object
// Undefined (6.7.3p6), whatever compilers make of it.
extern void reach_error(void);
int main(void) { const int c = 1; *(int *)&c = 2; if (c == 2) reach_error(); return 0; }
