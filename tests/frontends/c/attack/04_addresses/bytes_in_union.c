// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
int main(void) { union { int *p; unsigned char b[sizeof(int *)]; } u; u.p = &x; if (u.b[1] != 0) reach_error(); return 0; }
