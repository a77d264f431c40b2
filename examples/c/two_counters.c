/* Expected verdict: SAFE
 *
 * Two counters that move together stay together. The invariant x == y relates two variables: no set of values
 * describes it, predicates do.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int x = 0, y = 0;
    while (x < n) {
        x++;
        y++;
    }
    if (x != y)
        reach_error();
    return 0;
}
