// expect: unsafe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
int main(void) { if (_Generic(1L, int: 1, long: 2, long long: 3) == 2 && _Generic(1LL, long: 2, long long: 3) == 3) reach_error(); return 0; }
