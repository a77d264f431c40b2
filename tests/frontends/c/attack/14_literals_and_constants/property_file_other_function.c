// expect: unsafe-or-unknown  truth: argued  property: G ! call(my_error())
extern void my_error(void);
int main(void) { my_error(); return 0; }
