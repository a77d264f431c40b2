// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct operations { void (*run)(void); };
static void h(void) { reach_error(); }
extern void reg(struct operations);
int main(void) { struct operations a = {h}; reg(a); return 0; }
