// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2; int m[4] = {0}; int (*p)[] = (int (*)[n++])m; if (n == 3 && p) reach_error(); return 0; }
