// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct operations { int n; void (*run)(void); };
extern void reg(struct operations *);
static void h(void) { reach_error(); }
int main(void) { struct operations ops = {1, h}; reg(&ops); return 0; }
