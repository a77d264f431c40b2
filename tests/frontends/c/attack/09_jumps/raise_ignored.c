// expect: unsafe-or-unknown
// The default action of SIGURG (23) is nothing.
extern void reach_error(void);
extern int raise(int);
int main(void) { raise(23); reach_error(); return 0; }
