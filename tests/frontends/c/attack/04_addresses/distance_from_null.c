// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
int main(void) { long n = (char *)&x - (char *)0; if (n % 4096 != 0) reach_error(); return 0; }
