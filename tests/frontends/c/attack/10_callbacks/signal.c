// expect: unsafe-or-unknown
extern void reach_error(void);
extern void (*signal(int, void (*)(int)))(int);
extern int raise(int);
static void h(int n) { reach_error(); }
int main(void) { void (*p)(int) = h; signal(10, p); raise(10); return 0; }
