// expect: unsafe  truth: argued  ledger: va_arg
extern void reach_error(void);
/* A negative number that is taken for an unsigned one leaves the language: machines take its bits. */
static unsigned take(int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    unsigned v = __builtin_va_arg(ap, unsigned);
    __builtin_va_end(ap);
    return v;
}
int main(void) { if (take(1, -1) == 0xffffffff) reach_error(); return 0; }
