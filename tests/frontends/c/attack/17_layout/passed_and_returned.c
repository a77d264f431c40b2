// expect: unsafe
extern void reach_error(void);
struct s { int a : 9; unsigned b : 3; };
static struct s f(struct s x) { x.a = -x.a; x.b += 6; return x; }
int main(void) { struct s x = { 200, 3 }; x = f(x); if (x.a == -200 && x.b == 1) reach_error(); return 0; }
