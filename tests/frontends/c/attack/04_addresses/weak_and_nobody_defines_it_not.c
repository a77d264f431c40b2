// expect: unsafe-or-unknown
extern void reach_error(void);
extern int maybe(int) __attribute__((weak));
#pragma weak other
extern int other;
static int calls(int x) {
    return maybe ? maybe(x) : x + 1;
}
int main(void) {
    int (*table[2])(int) = { maybe, calls };
    if (table[0] != 0) reach_error();
    if (&other != 0) reach_error();
    if (table[1](3) == 4) reach_error();
    return 0;
}
