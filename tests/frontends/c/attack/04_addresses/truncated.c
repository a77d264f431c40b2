// expect: unsafe-or-unknown  truth: argued
// The upper half of an address may be anything.
extern void reach_error(void);
int x;
int main(void) { unsigned n = (unsigned)(unsigned long)&x; if ((int *)(unsigned long)n != &x) reach_error(); return 0; }
