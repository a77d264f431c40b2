// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void set(int, ...);
int main(void) { int x = 0, *p = &x; set(1, 2, p); if (x == 42) reach_error(); return 0; }
