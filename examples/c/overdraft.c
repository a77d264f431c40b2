/* Expected verdict: UNSAFE
 *
 * The fee is taken after the balance was checked: an account with exactly the amount on it goes below zero.
 */
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
