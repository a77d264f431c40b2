// expect: unsafe-or-unknown  truth: argued
// Two choices through a pointer differ in some execution.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int (*f)(void) = __VERIFIER_nondet_int;
    int a = f(), b = f();
    if (a != b) reach_error();
    return 0;
}
