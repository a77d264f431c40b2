/* Expected verdict: SAFE
 * Property: unreach-call
 *
 * The largest element of an array of any length is at least as large as each of them.
 */
extern void *malloc(unsigned long size);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned *a = malloc(n * sizeof(unsigned));
    if (!a)
        return 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_uint();
    unsigned largest = 0;
    for (unsigned i = 0; i < n; i++)
        if (a[i] > largest)
            largest = a[i];
    for (unsigned i = 0; i < n; i++)
        if (a[i] > largest)
            reach_error();
    return 0;
}
