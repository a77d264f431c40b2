/* Expected verdict: UNSAFE
 *
 * The lock of lock.c, with a path that leaves the function early: the second round takes it again.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int held = 0;

static int serve(void) {
    if (held)
        reach_error();
    held = 1;
    int request = __VERIFIER_nondet_int();
    if (request < 0)
        return -1;
    held = 0;
    return request;
}

int main(void) {
    for (int round = 0; round < 2; round++)
        serve();
    return 0;
}
