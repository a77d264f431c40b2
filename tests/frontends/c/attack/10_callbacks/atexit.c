// expect: unsafe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
static void h(void) { reach_error(); }
int main(void) { void (*p)(void) = h; atexit(p); return 0; }
