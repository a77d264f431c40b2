// expect: unsafe-or-unknown
extern void reach_error(void);
struct S { int a, b; };
static int f(struct S s) { return s.b; }
struct S g = {1, 300};
int main(void) { struct S *p = &g; struct S { char c; } x = {1}; if (f(*p) == 300 && x.c) reach_error(); return 0; }
