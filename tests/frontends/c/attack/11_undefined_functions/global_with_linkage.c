// expect: unsafe-or-unknown  truth: argued
// The object has external linkage: the other file may declare it.
extern void reach_error(void);
extern void run(void);
int g;
int main(void) { g = 0; run(); if (g == 42) reach_error(); return 0; }
