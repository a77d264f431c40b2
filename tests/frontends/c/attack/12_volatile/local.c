// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int main(void) { volatile int v = 1; if (v != 1) reach_error(); return 0; }
