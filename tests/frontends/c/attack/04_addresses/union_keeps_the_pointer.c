// expect: safe-or-unknown
extern void reach_error(void);
int x;
int main(void) { union { unsigned long n; int *p; } u; u.p = &x; *u.p = 3; if (u.p != &x || x != 3) reach_error(); return 0; }
