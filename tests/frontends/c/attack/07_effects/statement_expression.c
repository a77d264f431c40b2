// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 0; int y = ({ x++; x + 1; }); if (x == 1 && y == 2) reach_error(); return 0; }
