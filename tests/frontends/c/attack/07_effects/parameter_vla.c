// expect: unsafe-or-unknown
extern void reach_error(void);
int n = 2;
static int first(int k, int a[k][n++]) { return a[0][0]; }
int main(void) { int a[2][2] = {{0}}; first(2, a); if (n == 3) reach_error(); return 0; }
