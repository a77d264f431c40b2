// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) {
    int a[2] = {1, 2}; void *v = a; int *q = a;
    if ((char *)((a[0] ? v : q) + 1) - (char *)a == 1 && (char *)((a[0] ? (void *)0 : q) + 1) != (char *)a) reach_error();
    return 0;
}
