// expect: safe-or-unknown
extern void reach_error(void);
extern void abort(void);
int main(void) { void (*f)(void) = abort; f(); reach_error(); return 0; }
