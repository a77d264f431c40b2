// expect: safe
extern void reach_error(void);
int f(int n, int a[n][n], int i) { return i == n ? 0 : a[i][i] + f(n, a, i + 1); }
int main(void) { int a[2][2] = {1, 2, 3, 4}; if (!(f(2, a, 0) == 5)) reach_error(); return 0; }
