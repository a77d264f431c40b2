/* Expected verdict: UNSAFE
 *
 * As checksum_sums.c, but the last block counts twice.
 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned blocks = __VERIFIER_nondet_uint(), size = __VERIFIER_nondet_uint();
    unsigned bytes = 0, parity = 1;
    for (unsigned i = 0; i < blocks; i++) {
        bytes += size;
        parity += 2 * size;
    }
    bytes += size;
    if (parity != 2 * bytes + 1) reach_error();
    return 0;
}
