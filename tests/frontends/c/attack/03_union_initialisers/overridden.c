// expect: unsafe-or-unknown
extern void reach_error(void);
union { long long l; struct { int a, b; } s; } u = {.l = -1, .s = {.b = 2}};
int main(void) { if (u.l == 0x200000000LL) reach_error(); return 0; }
