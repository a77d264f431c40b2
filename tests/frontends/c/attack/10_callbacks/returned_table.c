// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct operations { void (*run)(void); };
static void h(void) { reach_error(); }
static struct operations ops;
static struct operations *table(void) { ops.run = h; return &ops; }
extern void reg(struct operations *);
int main(void) { reg(table()); return 0; }
