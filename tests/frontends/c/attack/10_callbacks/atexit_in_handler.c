// expect: unsafe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static int n;
static void late(void) { if (n == 2) reach_error(); }
static void early(void) { n++; }
static void middle(void) { n++; atexit(late); }
int main(void) { atexit(early); atexit(middle); atexit(early); return 0; }
