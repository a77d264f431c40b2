// expect: unsafe-or-unknown  truth: argued  ledger: initialised
extern void reach_error(void);
int main(void) {
    int n = 0;
again:
    if (n == 1) goto inside;
    { int x = 5; n++; inside: if (x != 5) reach_error(); }
    if (n == 1) { n = 1; goto again; }
    return 0;
}
