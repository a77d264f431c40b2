// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int main(void) { if ((volatile int){0}) reach_error(); return 0; }
