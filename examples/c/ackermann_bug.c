/* Expected verdict: UNSAFE
 *
 * Ackermann's function calls itself inside of its own argument. The largest value for arguments up to 2 and 1 is 5, and
 * the assertion says less. docs/c.md tells how deep calls are followed.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned int ackermann(unsigned int m, unsigned int n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    unsigned int m = __VERIFIER_nondet_uint();
    unsigned int n = __VERIFIER_nondet_uint();
    if (m > 2 || n > 1)
        return 0;
    if (ackermann(m, n) >= 5)
        reach_error();
    return 0;
}
