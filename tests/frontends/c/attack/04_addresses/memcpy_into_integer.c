// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
int x;
int main(void) {
    int *p = &x;
    unsigned long n = 0;
    memcpy(&n, &p, sizeof n);
    if (n != 0 && n < 0x100000) reach_error();
    return 0;
}
