// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void fill(int *);
static int first(int a[]) { fill(a); return a[0]; }
int main(void) { int a[2] = {0, 0}; if (first(a) == 42) reach_error(); return 0; }
