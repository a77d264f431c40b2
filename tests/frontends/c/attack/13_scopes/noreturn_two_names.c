// expect: safe-or-unknown  truth: argued
extern void reach_error(void);
_Noreturn void a(void), b(void);
int main(void) { b(); reach_error(); return 0; }
