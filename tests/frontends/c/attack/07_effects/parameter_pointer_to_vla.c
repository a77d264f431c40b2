// expect: unsafe-or-unknown
extern void reach_error(void);
int n = 2;
static int first(int (*a)[n++]) { return (*a)[0]; }
int main(void) { int a[2] = {0}; first(&a); if (n == 3) reach_error(); return 0; }
