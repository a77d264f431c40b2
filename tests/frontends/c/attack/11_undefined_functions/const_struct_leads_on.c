// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct s { int *p; };
extern void look(const struct s *);
int main(void) { int x = 0; const struct s s = {&x}; look(&s); if (x == 42) reach_error(); return 0; }
