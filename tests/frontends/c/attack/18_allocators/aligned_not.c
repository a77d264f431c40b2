// expect: unsafe  truth: argued  property: G valid-deref
extern void *aligned_alloc(unsigned long, unsigned long);
extern int posix_memalign(void **, unsigned long, unsigned long);
int main(void) {
    int *p = aligned_alloc(16, 4 * sizeof *p), *q;
    p[3] = 5;
    if (posix_memalign((void **)&q, 16, 2 * sizeof(int))) return 1;
    q[2] = p[3];
    return q[1] - 5;
}
