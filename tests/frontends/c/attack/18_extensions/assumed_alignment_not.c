// expect: unsafe
extern void reach_error(void);
int main(void) {
    int table[4] = { 1, 2, 3, 4 };
    int *aligned = __builtin_assume_aligned(table, 4);
    aligned[2] = 9;
    if ((table[2] + (aligned + 1)[0]) == 11) reach_error();
    return 0;
}
