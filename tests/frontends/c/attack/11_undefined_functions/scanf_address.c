// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern int scanf(const char *, ...);
int main(void) { int x = 0; scanf("%d", &x); if (x == 42) reach_error(); return 0; }
