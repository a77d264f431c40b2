// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int void(main){ reach_error(); }
