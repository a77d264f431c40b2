// expect: unsafe  truth: argued  property: G valid-deref
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
extern unsigned __VERIFIER_nondet_uint(void);
/* One byte too many. */
int main(void) { char b[8]; unsigned n = __VERIFIER_nondet_uint(); if (n < 10) memset(b, 0, n); return 0; }
