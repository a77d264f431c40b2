// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2, i = 0; int a[2][n]; unsigned long s = sizeof(a[i++]); if (i == 1 && s == 8) reach_error(); return 0; }
