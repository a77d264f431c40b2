// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int a[2][3]; __typeof__(a[0]) b; b[2] = 1; if (sizeof b == 12 && b[2]) reach_error(); return 0; }
