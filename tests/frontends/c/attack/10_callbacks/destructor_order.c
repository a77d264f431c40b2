// expect: safe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static int order;
static void __attribute__((constructor)) begin(void) { order = 1; }
static void h(void) { order = order * 10 + 2; }
static void __attribute__((destructor)) second(void) { if (order != 123) reach_error(); order = 4; }
static void __attribute__((destructor)) first(void) { if (order != 12) reach_error(); order = 123; }
static void __attribute__((destructor(101))) last(void) { if (order != 4) reach_error(); }
int main(void) { atexit(h); return 0; }
