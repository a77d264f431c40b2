// expect: safe  truth: argued
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct s { unsigned a : 3, b : 7, c : 22; } s, *p = &s;
int main(void) { p->b = __VERIFIER_nondet_int(); p->a = 5; p->c = 9; unsigned b = s.b; p->a = __VERIFIER_nondet_int();
  if (s.b != b || s.c != 9) reach_error(); return 0; }
