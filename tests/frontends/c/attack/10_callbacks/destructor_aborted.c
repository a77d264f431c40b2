// expect: safe-or-unknown
extern void reach_error(void);
extern void _exit(int);
static void __attribute__((destructor)) a(void) { reach_error(); }
int main(void) { _exit(0); }
