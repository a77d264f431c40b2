// expect: safe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2; unsigned long a = _Alignof(int[n++]); if (n != 2 || a != 4) reach_error(); return 0; }
