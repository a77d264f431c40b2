// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { void (*f)(int) = (void (*)(int))reach_error; f(1); return 0; }
