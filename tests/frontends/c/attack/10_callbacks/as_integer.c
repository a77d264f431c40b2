// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void reg(unsigned long);
static void h(void) { reach_error(); }
int main(void) { reg((unsigned long)h); return 0; }
