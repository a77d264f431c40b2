// expect: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; n = 0; m = 77; return s + a[1][0]; }
int main(void) { int a[2][3] = {{1,2,3},{4,5,6}}; a[1][2] = 10; if (!(sum(2, 3, a) == 29)) reach_error(); return 0; }
