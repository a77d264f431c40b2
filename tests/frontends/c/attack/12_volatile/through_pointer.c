// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
int main(void) { volatile int *p = &x; x = 1; if (*p != 1) reach_error(); return 0; }
