// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern int scanf(const char *, ...);
int main(void) { int x = 0, *p = &x; scanf("%d", p); if (x == 42) reach_error(); return 0; }
