/* Expected verdict: UNSAFE
 *
 * The same with (low + high) / 2: the sum of two large numbers wraps around, and the middle lies below both.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned int low = __VERIFIER_nondet_uint();
    unsigned int high = __VERIFIER_nondet_uint();
    if (low > high)
        return 0;
    unsigned int middle = (low + high) / 2;
    if (middle < low || middle > high)
        reach_error();
    return 0;
}
