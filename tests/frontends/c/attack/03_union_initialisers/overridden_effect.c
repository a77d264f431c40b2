// expect: unknown  truth: argued  ledger: overridden by a later one and not evaluated
// Whether the first call happens is open (6.7.9, note 151); gcc and clang leave it out.
extern void reach_error(void);
int n;
static int f(int k) { n += k; return k; }
int main(void) {
    struct { int a, b; } s = {.a = f(1), .a = f(2)};
    if (n != 2) reach_error();
    return 0;
}
