// expect: unsafe-or-unknown  truth: argued  ledger: initialised|union
extern void reach_error(void);
int main(void) { union { char c; int i; } u = {.c = 1}; if (u.i != 1) reach_error(); return 0; }
