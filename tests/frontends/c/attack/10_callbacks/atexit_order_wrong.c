// expect: unsafe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static int order;
static void first(void) { order = 1; }
static void second(void) { if (order == 0) reach_error(); }
int main(void) { atexit(first); atexit(second); exit(0); }
