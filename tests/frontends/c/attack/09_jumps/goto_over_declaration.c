// expect: unsafe-or-unknown  truth: argued  ledger: initialised
// The object has ended and begun again: its value is not the old one.
extern void reach_error(void);
int main(void) {
    int round = 0;
again:;
    if (round == 1) goto skip;
    int x = 5;
    round++;
    goto again;
skip:
    if (x != 5) reach_error();
    return 0;
}
