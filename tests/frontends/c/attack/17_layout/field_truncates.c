// expect: unsafe  truth: argued
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct s { unsigned a : 3; } s;
int main(void) { unsigned x = __VERIFIER_nondet_uint(); s.a = x; if (s.a != x) reach_error(); return 0; }
