// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *calloc(unsigned long, unsigned long);
int main(void) {
    int *m = calloc(2, sizeof(int));
    if (!m) return 0;
    *(long long *)m = 0x100000002LL;
    if (m[0] == 2 && m[1] == 1) reach_error();
    return 0;
}
