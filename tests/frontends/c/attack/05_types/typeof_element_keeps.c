// expect: unsafe-or-unknown
extern void reach_error(void);
int a[2][3];
int main(void) { __typeof__(a) *p = &a; __typeof__(*a) row; __typeof__(&a[0]) q = a; if (sizeof *p == 24 && sizeof row == 12 && sizeof *q == 12) reach_error(); return 0; }
