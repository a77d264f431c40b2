// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *memset(void *, int, unsigned long);
int main(void) {
    int *p = malloc(4 * sizeof(int));
    if (!p) return 0;
    p[0] = 1; p[3] = 9;
    memset(p, 0, 4 * sizeof(int));
    if (p[0] == 0 && p[3] == 0) reach_error();
    return 0;
}
