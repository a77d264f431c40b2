// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void __VERIFIER_nondet_memory(void *, unsigned long);
struct s { int a; short b[3]; } s;
int main(void) { void *p = &s; __VERIFIER_nondet_memory(p, sizeof s); if (s.a == 5 && s.b[2] == 6) reach_error(); return 0; }
