// expect: unsafe-or-unknown  truth: argued  options: undefined_functions=arguments
extern void reach_error(void);
extern void set(int *);
int main(void) { int x = 0, *p = &x; set(p); if (x == 42) reach_error(); return 0; }
