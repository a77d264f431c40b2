// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct s { int n; int *p[2]; };
extern void set(struct s);
int main(void) { int x = 0; struct s s = {1, {0, &x}}; set(s); if (x == 42) reach_error(); return 0; }
