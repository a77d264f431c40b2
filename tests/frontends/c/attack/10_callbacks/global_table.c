// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct operations { void (*run)(void); };
static void h(void) { reach_error(); }
struct operations ops = {h};
extern void run(void);
int main(void) { run(); return 0; }
