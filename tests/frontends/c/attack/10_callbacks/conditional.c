// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern int c(void);
extern void reg(void (*)(void));
static void h(void) { reach_error(); }
int main(void) { reg(c() ? 0 : h); return 0; }
