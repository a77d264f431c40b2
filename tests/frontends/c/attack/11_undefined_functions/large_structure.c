// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
static struct { char text[70000]; int n; } s;
extern void fill(void *);
int main(void) { s.n = 0; fill(&s); if (s.n == 42) reach_error(); return 0; }
