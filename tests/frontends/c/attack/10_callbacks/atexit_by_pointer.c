// expect: unsafe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static int n;
static void h(void) { if (n == 3) reach_error(); }
int main(void) { int (*give)(void (*)(void)) = atexit; void (*leave)(int) = exit; give(h); n = 3; leave(1); return 0; }
