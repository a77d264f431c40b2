// expect: safe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static void __attribute__((destructor)) a(void) { exit(0); }
int main(void) { return 0; }
