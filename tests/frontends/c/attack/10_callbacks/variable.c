// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void reg(void (*)(void));
static void h(void) { reach_error(); }
int main(void) { void (*p)(void) = h; reg(p); return 0; }
