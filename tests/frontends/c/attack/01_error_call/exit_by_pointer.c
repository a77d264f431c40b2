// expect: safe-or-unknown
extern void reach_error(void);
extern void exit(int);
int main(void) { void (*f)(int) = exit; f(0); reach_error(); return 0; }
