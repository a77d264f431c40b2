// expect: safe-or-unknown
extern void reach_error(void);
extern void _Exit(int);
int main(void) { _Exit(0); reach_error(); return 0; }
