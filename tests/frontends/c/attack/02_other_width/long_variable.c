// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int a[2] = {1, 2}; long long *p = (long long *)a; *p = 0; if (a[0] == 0 && a[1] == 0) reach_error(); return 0; }
