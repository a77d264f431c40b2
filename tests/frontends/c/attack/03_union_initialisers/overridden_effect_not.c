// expect: unknown  truth: argued  ledger: overridden by a later one and not evaluated
extern void reach_error(void);
int n;
static int f(int k) { n += k; return k; }
int main(void) {
    union { int i; char c; } u = {.i = f(1), .c = f(2)};
    if (n == 3) reach_error();
    return 0;
}
