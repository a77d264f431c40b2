// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
static int a[1000];
extern void fill(int *);
int main(void) { fill(a); if (a[999] == 42) reach_error(); return 0; }
