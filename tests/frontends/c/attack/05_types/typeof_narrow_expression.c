// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { char c = 1; typeof(c + c) d = 300; typeof(c) e = (char)44; if (d == 300 && e == 44) reach_error(); return 0; }
