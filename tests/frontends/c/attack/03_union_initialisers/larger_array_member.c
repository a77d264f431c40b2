// expect: unsafe-or-unknown
extern void reach_error(void);
union { long long l; int a[4]; } u = {0x200000001LL};
int main(void) { if (u.a[1] == 2) reach_error(); return 0; }
