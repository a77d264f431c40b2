/* Expected verdict: SAFE
 *
 * A hundred million rounds of two counters, of which one goes twice as fast: no unwinding gets through, the relation
 * between them does.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int();
    int slow = 0, fast = 0;
    if (rounds > 100000000) return 0;
    while (slow < rounds) {
        slow++;
        fast += 2;
    }
    if (fast != 2 * slow || fast > 200000000) reach_error();
    return 0;
}
