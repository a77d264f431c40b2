/* Expected verdict: UNSAFE
 * Property: unreach-call
 *
 * As registers.c, but the word that is written back has the bit of the other field.
 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

union control {
    unsigned word;
    struct {
        unsigned enable : 1, mode : 3, divider : 12, : 15, locked : 1;
    } bits;
};

int main(void) {
    union control control;
    control.word = __VERIFIER_nondet_uint() | 0x40000000u;
    control.bits.mode = 5;
    control.bits.divider = 0;
    if (!control.bits.locked)
        reach_error();
    if ((control.word & 0xffff) >> 1 != 5)
        reach_error();
    return 0;
}
