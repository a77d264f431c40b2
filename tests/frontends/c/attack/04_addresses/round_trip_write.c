// expect: unsafe-or-unknown
extern void reach_error(void);
int x;
int main(void) { unsigned long n = (unsigned long)&x; *(int *)n = 4; if (x == 4) reach_error(); return 0; }
