// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
typedef void (*cb)(int);
extern void reg(cb);
static void h(void) { reach_error(); }
int main(void) { reg((cb)h); return 0; }
