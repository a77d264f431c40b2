// expect: unsafe-or-unknown
extern void reach_error(void);
struct { int before; union { long long l; struct { int a, b; } s; } u; int after; } x = {7, {.s = {1, 2}}, 9};
int main(void) { if (x.before == 7 && x.u.s.a == 1 && x.u.s.b == 2 && x.after == 9) reach_error(); return 0; }
