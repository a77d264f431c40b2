// expect: safe-or-unknown
extern void reach_error(void);
int depth;
int main(void) {
    int (*again)(void) = main;
    if (depth++ == 0 && again() != 3) reach_error();
    return 3;
}
