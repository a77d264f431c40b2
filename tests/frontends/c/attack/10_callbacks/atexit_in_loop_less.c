// expect: safe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static int n;
static void h(void) { if (++n == 4) reach_error(); }
int main(void) { for (int i = 0; i < 3; i++) atexit(h); return 0; }
