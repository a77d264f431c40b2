// expect: safe-or-unknown  truth: argued
extern void reach_error(void);
int void(main) { return 0; }
