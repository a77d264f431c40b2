// expect: safe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static int n, ended;
static void h(void) { if (!ended) reach_error(); }
int main(void) { if (n++) return 0; atexit(h); main(); ended = 1; return 0; }
