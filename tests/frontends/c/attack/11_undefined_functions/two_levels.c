// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void set(int **);
int main(void) { int x = 0, y = 0, *p = &x; set(&p); *p = 42; if (x == 42 || y == 42) reach_error(); return 0; }
