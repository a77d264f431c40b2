// expect: unsafe-or-unknown
extern void reach_error(void);
union { long long l; struct { int a, b; } s; } u = {.s = {1, 2}};
int main(void) { if (u.l == 0x200000001LL) reach_error(); return 0; }
