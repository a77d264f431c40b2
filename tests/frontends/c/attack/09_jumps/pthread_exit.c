// expect: safe-or-unknown  truth: argued
extern void reach_error(void);
extern void pthread_exit(void *);
int main(void) { pthread_exit(0); reach_error(); return 0; }
