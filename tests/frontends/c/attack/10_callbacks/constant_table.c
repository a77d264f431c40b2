// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct operations { void (*run)(void); };
extern void reg(const struct operations *);
static void h(void) { reach_error(); }
static const struct operations ops = {h};
int main(void) { reg(&ops); return 0; }
