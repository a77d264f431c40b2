// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct s { volatile struct { int a; } in; int b; } x; int main(void) { x.in.a = 1; if (x.in.a == 2) reach_error(); return 0; }
