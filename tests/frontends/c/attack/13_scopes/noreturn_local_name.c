// expect: unsafe-or-unknown
// A variable has the name of a function that does not return.
extern void reach_error(void);
_Noreturn void halt(void);
static void go_on(void) {}
int main(void) { void (*halt)(void) = go_on; halt(); reach_error(); return 0; }
