// expect: unsafe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static void last(void) { reach_error(); }
static void h(void) { exit(1); }
int main(void) { atexit(last); atexit(h); return 0; }
