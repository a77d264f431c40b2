// expect: unsafe  truth: argued  property: G valid-deref
int f(int n, int a[n][n]) { return a[n][0]; }
int main(void) {
    int a[2][2] = { 0 };
    return f(2, a);
}
