// expect: unknown  models: LP64 ILP32  truth: argued  ledger: does not name are zero
// y has no value by the standard; clang leaves it as it is.
extern void reach_error(void);
int main(void) {
    union { int a; struct { int x, y; } s; } u = {.a = 3};
    if (u.s.y) reach_error();
    return 0;
}
