/* Expected verdict: UNSAFE
 * Property: valid-memsafety
 *
 * As table.c, but the last row that is written is one behind the end.
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
    for (unsigned row = 0; row <= rows; row++)
        table[row] = (int)row;
    free(table);
    return 0;
}
