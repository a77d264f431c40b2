// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2; int a[n++]; a[0] = 0; if (n == 3) reach_error(); return a[0]; }
