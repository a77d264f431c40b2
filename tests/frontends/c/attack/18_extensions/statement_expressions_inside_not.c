// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int n = 0; int x = ({ n++; ({ n += 2; ({ n * 5; }); }); }); if (x == 15) reach_error(); return 0; }
