// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2, m[4] = {0}; int (*p)[n++] = (void *)m; if (n == 3 && p) reach_error(); return 0; }
