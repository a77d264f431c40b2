// expect: unsafe
extern void reach_error(void);
struct part { int a[3]; struct { char c, d; } e[2]; };
int main(void) {
    int k = 4;
    struct part v[4] = { [1 ... 2].a[0 ... 1] = k, 6, { { 7, 8 } }, 9, [3] = { .e[0 ... 1].d = 5 } };
    if ((v[1].a[0] * 1000 + v[1].a[1] * 100 + v[1].a[2] * 10 + v[1].e[0].c) != 4400) reach_error();
    if ((v[2].a[1] * 1000 + v[2].a[2] * 100 + v[2].e[0].c * 10 + v[2].e[0].d) != 4678) reach_error();
    if ((v[3].a[0] * 100 + v[3].e[1].d * 10 + v[3].e[0].c) != 50) reach_error();
    if ((((int[3]){ [1 ... 2] = k })[2]) == 4) reach_error();
    return 0;
}
