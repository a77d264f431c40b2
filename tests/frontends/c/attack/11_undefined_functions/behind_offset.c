// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void fill(int *);
int main(void) { int a[4] = {0}; int i = 2; fill(&a[i]); if (a[0] == 42) reach_error(); return 0; }
