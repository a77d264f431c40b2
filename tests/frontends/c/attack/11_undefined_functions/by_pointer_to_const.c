// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
// The object is not const: the function may cast the qualifier away.
extern void look(const int *);
int main(void) { int x = 0; look(&x); if (x == 42) reach_error(); return 0; }
