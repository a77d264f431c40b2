// expect: unsafe-or-unknown
extern void reach_error(void);
union { void (*f)(void); unsigned long n; } u;
int main(void) { u.f = reach_error; ((void (*)(void))u.n)(); return 0; }
