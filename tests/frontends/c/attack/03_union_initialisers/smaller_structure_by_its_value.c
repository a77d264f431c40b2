// expect: unsafe-or-unknown  truth: argued  ledger: does not name are zero
// The rest of the union is cleared, as the ledger says, in each round: not what is left of the one before.
extern void reach_error(void);
struct one { char a; } given = {7};
int main(void) {
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        union { int i; struct one s; } u = {.s = given};
        sum += u.i;
        u.i = -1;
    }
    if (sum == 14) reach_error();
    return 0;
}
