// expect: safe-or-unknown
extern void reach_error(void);
int x, *p = &x;
int main(void) { union { unsigned long n; int *p; } u; u.n = 41; u.n++; if (u.n != 42 || *p) reach_error(); return 0; }
