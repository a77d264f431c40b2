/* Expected verdict: SAFE
 *
 * A retry loop written with goto, the error named by a label. At most three attempts are made.
 */
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int attempts = 0;
    int status;
retry:
    attempts++;
    status = __VERIFIER_nondet_int();
    if (status != 0 && attempts < 3)
        goto retry;
    if (attempts > 3)
        goto ERROR;
    return status;
ERROR:
    return -1;
}
