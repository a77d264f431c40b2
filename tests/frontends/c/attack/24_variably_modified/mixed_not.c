// expect: unsafe
extern void reach_error(void);
int f(int n, int a[n][2][n]) { return a[1][1][2] + sizeof a[0] + sizeof a[0][0]; }
int main(void) { int a[2][2][3] = {0}; a[1][1][2] = 9; if (f(3, a) == 9 + 24 + 12) reach_error(); return 0; }
