// expect: safe  truth: argued
// What lies outside of the array is undefined: the execution ends there.
extern void reach_error(void);
int f(int n, int a[n][n]) { return a[n][0]; }
int main(void) {
    int a[2][2] = { 0 };
    f(2, a);
    reach_error();
    return 0;
}
