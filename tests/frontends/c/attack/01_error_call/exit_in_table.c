// expect: safe-or-unknown
extern void reach_error(void);
extern void exit(int);
int main(void) { void (*t[1])(int) = {exit}; t[0](0); reach_error(); return 0; }
