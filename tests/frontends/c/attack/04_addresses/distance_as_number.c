// expect: unsafe-or-unknown  truth: argued
// How far objects are apart is not said; the sum is the other object whatever the distance is.
extern void reach_error(void);
int x, y;
int main(void) {
    unsigned long from = (unsigned long)&x, to = (unsigned long)&y, by = to - from;
    y = 0;
    *(int *)(from + by) = 1;
    if (by == 65536ul || y == 1) reach_error();
    return 0;
}
