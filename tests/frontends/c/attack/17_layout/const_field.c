// expect: safe  truth: argued
extern void reach_error(void);
static const struct { unsigned a : 4, b : 4; } t[2] = { { 1, 2 }, { .b = 3 } };
extern int __VERIFIER_nondet_int(void);
int main(void) { int i = __VERIFIER_nondet_int() & 1; if (t[i].b != 2u + i) reach_error(); return 0; }
