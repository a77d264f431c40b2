/* Expected verdict: UNSAFE
 * Property: unreach-call
 *
 * As fill.c, but the loop that fills begins with the second element.
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
    for (unsigned i = 1; i < n; i++)
        a[i] = 7;
    for (unsigned i = 0; i < n; i++)
        if (a[i] != 7)
            reach_error();
    return 0;
}
