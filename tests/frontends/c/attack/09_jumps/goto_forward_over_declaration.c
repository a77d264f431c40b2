// expect: unsafe-or-unknown  truth: argued  ledger: initialised
extern void reach_error(void);
int main(void) {
    for (int i = 0; i < 2; i++) {
        if (i == 1) goto skip;
        int x = 5;
skip:
        if (x != 5) reach_error();
    }
    return 0;
}
