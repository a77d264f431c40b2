// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int a[3]; if (_Generic(a, int *: 1, default: 2) == 1) reach_error(); return 0; }
