// expect: safe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static int order;
static void first(void) { if (order != 2) reach_error(); }
static void second(void) { order = order * 10 + 2; }
int main(void) { atexit(first); atexit(second); return 0; }
