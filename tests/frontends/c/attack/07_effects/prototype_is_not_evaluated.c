// expect: safe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2; int f(int a[n++]); if (n != 2) reach_error(); return 0; }
