// expect: unsafe-or-unknown  truth: argued  options: undefined_functions=pure
extern void reach_error(void);
typedef void (*cb)(int);
extern void reg(cb);
static void k(void) { reach_error(); }
int main(void) { int c = 1; reg(c ? (cb)0 : (cb)k); return 0; }
