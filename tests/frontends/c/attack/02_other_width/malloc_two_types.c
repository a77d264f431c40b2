// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
    void *m = malloc(8);
    if (!m) return 0;
    *(long long *)m = 0;
    *(short *)m = 1;
    if (*(long long *)m == 1) reach_error();
    return 0;
}
