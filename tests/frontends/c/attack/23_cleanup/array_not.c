// expect: unsafe
extern void reach_error(void);
int g; struct s { int a, b; }; void c(struct s *p) { g += p->a; } void d(int (*p)[2]) { g += (*p)[1]; }
int main(void) { { struct s x __attribute__((cleanup(c))) = { 3, 4 }; int a[2] __attribute__((cleanup(d))) = { 1, 20 }; } if (g == 23) reach_error(); return 0; }
