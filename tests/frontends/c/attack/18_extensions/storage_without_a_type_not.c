// expect: unsafe
extern void reach_error(void);
static g;
static f(a) { return a + 1; }
int main(void) { static s; register r = 2; const c = 5; s++; if (f(g) + s + r + c == 9) reach_error(); return 0; }
