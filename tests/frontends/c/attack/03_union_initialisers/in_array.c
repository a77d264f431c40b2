// expect: unsafe-or-unknown
extern void reach_error(void);
union { long long l; struct { int a, b; } s; } u[2] = {{.s = {1, 2}}, {.s = {3, 4}}};
int main(void) { if (u[0].s.b == 2 && u[1].s.b == 4) reach_error(); return 0; }
