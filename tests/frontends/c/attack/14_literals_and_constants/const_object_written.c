// expect: safe-or-unknown  truth: argued  ledger: const object
extern void reach_error(void);
static const int c = 1;
int main(void) { int *p = (int *)&c; *p = 2; if (c == 2) reach_error(); return 0; }
