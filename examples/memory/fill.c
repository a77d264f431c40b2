/* Expected verdict: SAFE
 * Property: unreach-call
 *
 * An array of any length is filled, and every element is looked at. The invariant speaks of all elements: for all j <
 * i, a[j] == 7.
 */
extern void *malloc(unsigned long size);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000000)
        return 0;
    int *a = malloc(n * sizeof(int));
    if (!a)
        return 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = 7;
    for (unsigned i = 0; i < n; i++)
        if (a[i] != 7)
            reach_error();
    return 0;
}
