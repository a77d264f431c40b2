// expect: safe-or-unknown  truth: argued  ledger: const object
extern void reach_error(void);
static const struct { int a; } c = {1};
int main(void) { int *p = (int *)&c.a; *p = 2; if (c.a == 2) reach_error(); return 0; }
