// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { void *p = &&l; goto *p; return 0; l: reach_error(); return 1; }
