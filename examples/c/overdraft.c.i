# 0 "/work/wt/evidence/examples/c/overdraft.c"
# 0 "<built-in>"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "/work/wt/evidence/examples/c/overdraft.c"




extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int balance = 100;
    int fee = 2;
    for (int day = 0; day < 3; day++) {
        int amount = __VERIFIER_nondet_int();
        if (amount > 0 && amount <= balance) {
            balance -= amount;
            balance -= fee;
        }
        if (balance < 0)
            reach_error();
    }
    return 0;
}
