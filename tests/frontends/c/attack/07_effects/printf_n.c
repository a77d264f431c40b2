// expect: unsafe-or-unknown
extern void reach_error(void);
extern int printf(const char *, ...);
int main(void) { int n = 0; printf("abc%n", &n); if (n == 3) reach_error(); return 0; }
