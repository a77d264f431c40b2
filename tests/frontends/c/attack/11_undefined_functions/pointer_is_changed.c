// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void set(int **, int *);
int main(void) { int x = 0, y = 0, *p = &x; set(&p, &y); y = 0; *p = 42; if (y == 42) reach_error(); return 0; }
