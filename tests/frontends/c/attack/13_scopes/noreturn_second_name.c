// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
void a(void), __attribute__((noreturn)) b(void);
int main(void) { a(); reach_error(); return 0; }
