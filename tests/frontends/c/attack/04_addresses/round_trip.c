// expect: safe-or-unknown
extern void reach_error(void);
int x;
int main(void) { unsigned long n = (unsigned long)&x; if ((int *)n != &x) reach_error(); return 0; }
