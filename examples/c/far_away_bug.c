/* Expected verdict: UNSAFE
 *
 * A meter counts two kinds of pulses that come in turn. Only one number of pulses out of four billion fills both
 * counters as the last line asks, ten million rounds away: closed forms of the loop find it, and the rounds are
 * replayed one by one.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int pulses = __VERIFIER_nondet_int();
    int energy = 0, reverse = 0;
    for (int i = 0; i < pulses; i++) {
        if (i % 2 == 0)
            energy += 3;
        else
            reverse++;
    }
    if (energy == 15000000 && reverse == 4999999) reach_error();
    return 0;
}
