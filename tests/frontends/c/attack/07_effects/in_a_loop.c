// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int n = 1; for (int i = 0; i < 3; i++) { int a[n++]; a[0] = i; } if (n == 4) reach_error(); return 0; }
