// expect: safe  truth: argued
extern void reach_error(void);
extern void run(void);
int main(void) { int x = 0; run(); if (x == 42) reach_error(); return 0; }
