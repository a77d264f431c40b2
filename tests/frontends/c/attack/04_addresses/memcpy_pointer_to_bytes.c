// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
int x;
int main(void) { int *p = &x; unsigned char b[sizeof p]; memcpy(b, &p, sizeof p); if (b[0] != 0) reach_error(); return 0; }
