// expect: safe-or-unknown
extern void reach_error(void);
int main(void) { int a[4], *p = a + 1, *q = a + 3; if (p >= q || q - p != 2) reach_error(); return 0; }
