/* Expected verdict: SAFE
 *
 * A lock that is taken and released in a loop, as in a device driver. It is never taken twice and never released
 * without being held, because the loop goes round again only after a release.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int held = 0;

static void take(void) {
    if (held)
        reach_error();
    held = 1;
}

static void release(void) {
    if (!held)
        reach_error();
    held = 0;
}

int main(void) {
    int requests, old;
    do {
        take();
        old = requests;
        if (__VERIFIER_nondet_int()) {
            release();
            requests = old + 1;
        }
    } while (requests != old);
    release();
    return 0;
}
