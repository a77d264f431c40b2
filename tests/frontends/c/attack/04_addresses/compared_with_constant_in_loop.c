// expect: unsafe-or-unknown  truth: argued
// What one address is like says nothing of another one.
extern void reach_error(void);
int a[2];
int main(void) {
    int far[2];
    for (int i = 0; i < 2; i++) far[i] = (unsigned long)&a[i] > 4194304ul;
    if (far[0] != far[1]) reach_error();
    return 0;
}
