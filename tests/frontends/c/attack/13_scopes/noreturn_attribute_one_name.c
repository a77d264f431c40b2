// expect: unsafe-or-unknown  truth: argued
// The attribute stands behind the first declarator and belongs to it alone.
extern void reach_error(void);
void a(void) __attribute__((noreturn)), b(void);
int main(void) { b(); reach_error(); return 0; }
