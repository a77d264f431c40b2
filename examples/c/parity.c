/* Expected verdict: SAFE
 *
 * Adding two keeps a number even, also when it wraps around; only bits tell.
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    unsigned int x = 0;
    while (__VERIFIER_nondet_bool())
        x += 2;
    if (x & 1)
        reach_error();
    return 0;
}
