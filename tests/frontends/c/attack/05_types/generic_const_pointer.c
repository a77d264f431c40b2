// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { const int *p = 0; if (_Generic(p, int *: 1, const int *: 2, default: 3) == 2) reach_error(); return 0; }
