// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void run(void);
int *shared;
int main(void) { int x = 0; shared = &x; run(); if (x == 42) reach_error(); return 0; }
