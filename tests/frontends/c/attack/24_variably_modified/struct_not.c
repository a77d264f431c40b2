// expect: unsafe
extern void reach_error(void);
struct p { int x, y; };
int f(int n, struct p a[][n]) { a[1][0].y = 7; return a[0][1].x; }
int main(void) { struct p a[2][2] = {{{1,2},{3,4}},{{5,6},{7,8}}}; if (f(2, a) == 3 && a[1][0].y == 7) reach_error(); return 0; }
