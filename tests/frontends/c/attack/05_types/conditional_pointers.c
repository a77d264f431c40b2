// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) {
    int x = 0; const int *p = &x; int *q = &x; void *v = q;
    int a = _Generic(1 ? p : q, const int *: 1, int *: 2), b = _Generic(1 ? q : 0, int *: 1, default: 0);
    int c = _Generic(1 ? v : q, void *: 1, default: 2), d = _Generic(1 ? (void *)0 : q, int *: 1, default: 2);
    int e = _Generic(1 ? v : p, const void *: 1, default: 2);
    if (a == 1 && b == 1 && c == 1 && d == 1 && e == 1) reach_error();
    return 0;
}
