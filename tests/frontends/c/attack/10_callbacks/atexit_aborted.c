// expect: safe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
extern void _Exit(int);
static void h(void) { reach_error(); }
int main(void) { atexit(h); _Exit(0); }
