// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void set(int *);
int main(void) { void (*f)(int *) = set; int x = 0; f(&x); if (x == 42) reach_error(); return 0; }
