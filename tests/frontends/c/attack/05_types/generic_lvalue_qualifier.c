// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { const int i = 1; if (_Generic(i, int: 1, default: 2) == 1) reach_error(); return 0; }
