// expect: unsafe-or-unknown
extern void reach_error(void);
typedef const int CI;
struct s { const int a; int b; };
int main(void) {
    CI a[2] = {1, 2}; CI *p = a; const struct s x = {1, 2}; struct s y = {3, 4};
    int i = _Generic(a, const int *: 1, int *: 2), j = _Generic(&p, CI **: 1, int **: 2), k = _Generic(*p, int: 1, default: 2);
    int l = _Generic(&x.b, const int *: 1, int *: 2), m = _Generic(&y.b, int *: 1, const int *: 2);
    if (i == 1 && j == 1 && k == 1 && l == 1 && m == 1) reach_error();
    return 0;
}
