// expect: unsafe-or-unknown
extern void reach_error(void);
union u { long long l; struct { int a, b; } s; };
int main(void) { union u v = (union u){.s = {1, 2}}; if (v.l == 0x200000001LL) reach_error(); return 0; }
