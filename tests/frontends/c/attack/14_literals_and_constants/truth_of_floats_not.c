// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
enum { A = !1.5, B = 0.0 ? 3 : 4, C = 0.5 && 1, D = 0.0 || 0.1f, E = !-0.0, F = (int)(1 ? 2.5 : 1.5) };
static int n = !0.25, m = 1e-9 ? 7 : 8;
int a[1 + !!2.5];
int main(void) {
    if (A == 0 || B != 4 || C != 1 || D != 1 || E != 1 || F != 2 || n || m != 7 || sizeof a != 2 * sizeof(int)) reach_error();
    switch (1) { case !0.5: reach_error(); case !0.0: return 0; default: reach_error(); }
}
