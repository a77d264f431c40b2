// expect: unknown  truth: argued
// gcc returns a copy from before the call of c, clang the object itself.
extern void reach_error(void);
struct s { int a; }; int g; void c(struct s *p) { p->a = 0; g++; }
struct s f(void) { struct s x __attribute__((cleanup(c))) = { 4 }; return x; }
int main(void) { struct s r = f(); if (!(r.a == 4 && g == 1)) reach_error(); return 0; }
