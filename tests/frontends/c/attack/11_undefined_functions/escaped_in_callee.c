// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void keep(int *);
extern void run(void);
static void give(int *p) { keep(p); }
int main(void) { int x = 0; give(&x); x = 1; run(); if (x == 42) reach_error(); return 0; }
