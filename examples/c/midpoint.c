/* Expected verdict: SAFE
 *
 * The middle of two sorted numbers, computed so that nothing overflows: low + (high - low) / 2, never (low + high) / 2.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned int low = __VERIFIER_nondet_uint();
    unsigned int high = __VERIFIER_nondet_uint();
    if (low > high)
        return 0;
    unsigned int middle = low + (high - low) / 2;
    if (middle < low || middle > high)
        reach_error();
    return 0;
}
