// expect: unsafe-or-unknown  truth: argued
// A function of another file sees the global, and what it points to.
extern void reach_error(void);
extern void run(void);
static void h(void) { reach_error(); }
void (*handler)(void);
int main(void) { handler = h; run(); return 0; }
