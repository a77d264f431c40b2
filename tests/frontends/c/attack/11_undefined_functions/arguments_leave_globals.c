// expect: safe-or-unknown  truth: argued  options: undefined_functions=arguments
extern void reach_error(void);
extern void run(void);
int g;
int main(void) { g = 0; run(); if (g == 42) reach_error(); return 0; }
