/* Expected verdict: SAFE
 *
 * Any number of rounds, and sums that wrap around: two of them count, the third one adds up. What they come to is an
 * equation with a product in it, modulo 2^32.
 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned blocks = __VERIFIER_nondet_uint(), size = __VERIFIER_nondet_uint();
    unsigned bytes = 0, parity = 1, weighted = 0;
    for (unsigned i = 0; i < blocks; i++) {
        bytes += size;
        parity += 2 * size;
        weighted += i;
    }
    if (bytes != blocks * size || parity != 2 * bytes + 1) reach_error();
    if (2 * weighted != blocks * (blocks - 1)) reach_error();
    return 0;
}
