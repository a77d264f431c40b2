// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
static void h(void) { reach_error(); }
extern void reg(int, ...);
int main(void) { void *p = (void *)h; reg(1, p); return 0; }
