// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void fill(int *, int);
int main(void) { int a[3] = {0}; int *p = a + 1; fill(p, 2); if (a[2] == 42) reach_error(); return 0; }
