// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern int next(int *);
int main(void) { int x = 0, *p = &x; while (next(p) && x != 42) ; if (x == 42) reach_error(); return 0; }
