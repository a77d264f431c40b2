// expect: unsafe-or-unknown
extern void reach_error(void);
union { unsigned u; unsigned char c[4]; } u = {.c = {1, 2, 3, 4}};
int main(void) { if (u.u == 0x04030201u) reach_error(); return 0; }
