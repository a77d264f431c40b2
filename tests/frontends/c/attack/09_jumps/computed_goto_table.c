// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) {
    static void *const labels[] = {&&good, &&bad};
    int i = 1;
    goto *labels[i];
good:
    return 0;
bad:
    reach_error();
    return 0;
}
