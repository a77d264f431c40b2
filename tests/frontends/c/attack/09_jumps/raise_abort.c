// expect: safe-or-unknown
// The default action of SIGABRT (6) ends the process.
extern void reach_error(void);
extern int raise(int);
int main(void) { raise(6); reach_error(); return 0; }
