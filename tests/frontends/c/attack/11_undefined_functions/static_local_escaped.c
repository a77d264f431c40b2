// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void keep(int *);
extern void run(void);
static int *cell(void) { static int x; return &x; }
int main(void) { keep(cell()); *cell() = 0; run(); if (*cell() == 42) reach_error(); return 0; }
