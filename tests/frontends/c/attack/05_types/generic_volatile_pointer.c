// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) {
    const volatile int a[2] = {0}; int *const p = 0; struct { const char c; } s = {0};
    int x = _Generic(a, const int *: 1, const volatile int *: 2, default: 3);
    int y = _Generic(p, int *const: 1, int *: 2);
    int z = _Generic(&s.c, char *: 1, const char *: 2);
    if (x == 2 && y == 2 && z == 2) reach_error();
    return 0;
}
