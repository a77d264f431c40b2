// expect: safe-or-unknown
extern void reach_error(void);
extern void __VERIFIER_assume(int);
int main(void) { void (*f)(int) = __VERIFIER_assume; int x = 3; f(x == 4); if (x == 3) reach_error(); return 0; }
