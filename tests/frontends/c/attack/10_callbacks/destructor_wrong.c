// expect: unsafe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static int order;
static void __attribute__((destructor)) a(void) { if (order == 7) reach_error(); }
static void __attribute__((destructor)) b(void) { order = 7; }
int main(void) { exit(0); }
