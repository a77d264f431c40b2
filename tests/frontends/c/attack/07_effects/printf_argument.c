// expect: unsafe-or-unknown
extern void reach_error(void);
extern int printf(const char *, ...);
int main(void) { int n = 0; printf("%d", ++n); if (n == 1) reach_error(); return 0; }
