// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void reg(void (*)(void));
static void h(void) { reach_error(); }
int main(void) { reg(h); return 0; }
