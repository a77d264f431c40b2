// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 1; x +\
= 2; x <\
<\
= 1; if (x == 6 &\
& x) re\
ach_error(); return 0; }
