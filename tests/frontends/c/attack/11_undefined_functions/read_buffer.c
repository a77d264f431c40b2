// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern long read(int, void *, unsigned long);
int main(void) { char b[4] = {0}; char *p = b; read(0, p, 4); if (b[3] == 'x') reach_error(); return 0; }
