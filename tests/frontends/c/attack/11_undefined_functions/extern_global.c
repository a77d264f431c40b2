// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void run(void);
extern int g;
int main(void) { g = 0; run(); if (g == 42) reach_error(); return 0; }
