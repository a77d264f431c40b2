// expect: unsafe-or-unknown  truth: argued  options: undefined_functions=pure
extern void reach_error(void);
typedef void (*cb)(int);
extern void reg(cb);
static void h(void) { reach_error(); }
int main(void) { reg((cb)h); return 0; }
