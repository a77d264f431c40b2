// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
const volatile int clock_register = 0;
int main(void) { if (clock_register) reach_error(); return 0; }
