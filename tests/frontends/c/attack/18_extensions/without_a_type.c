// expect: unsafe  truth: argued
// As before C99.
extern void reach_error(void);
f(a, b) int a; char b; { return a + b; }
main() { if (f(1, 2) == 3) reach_error(); return 0; }
