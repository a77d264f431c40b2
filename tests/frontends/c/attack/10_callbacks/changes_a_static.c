// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
static int done;
static void h(void) { done = 1; }
extern void reg(void (*)(void));
int main(void) { void (*p)(void) = h; reg(p); if (done) reach_error(); return 0; }
