/* Expected verdict: UNSAFE
 *
 * -1 compared with an unsigned number is converted to the largest one: the test that should let a small number
 * through does not.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    int missing = -1;
    unsigned int length = __VERIFIER_nondet_uint();
    if (length > 10)
        return 0;
    if (missing > length)
        reach_error();
    return 0;
}
