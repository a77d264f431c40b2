/* Expected verdict: SAFE
 * Property: valid-memsafety
 *
 * A table with any number of rows: no access is outside of it, and it is given back.
 */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned rows = __VERIFIER_nondet_uint();
    if (rows == 0 || rows > 100000)
        return 0;
    int *table = malloc(rows * sizeof(int));
    if (!table)
        return 0;
    for (unsigned row = 0; row < rows; row++)
        table[row] = (int)row;
    free(table);
    return 0;
}
