// expect: unsafe-or-unknown  truth: argued  ledger: initialised
extern void reach_error(void);
int main(void) {
    for (int i = 0; i < 2; i++)
        switch (i) {
            int x;
        case 0: x = 7; break;
        case 1: if (x != 7) reach_error();
        }
    return 0;
}
