// expect: safe-or-unknown  truth: argued
extern void reach_error(void);
__attribute__((noreturn)) void a(void), b(int);
int main(void) { b(1); reach_error(); return 0; }
