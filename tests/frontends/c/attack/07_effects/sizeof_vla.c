// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2; unsigned long s = sizeof(int[n++]); if (n == 3 && s == 8) reach_error(); return 0; }
