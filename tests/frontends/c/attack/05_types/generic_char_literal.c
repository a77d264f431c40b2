// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { if (_Generic('a', char: 1, int: 2, default: 3) == 2) reach_error(); return 0; }
