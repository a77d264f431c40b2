// expect: safe-or-unknown  truth: argued  property: G ! call(my_error())
extern void reach_error(void);
extern void my_error(void);
int main(void) { reach_error(); return 0; }
