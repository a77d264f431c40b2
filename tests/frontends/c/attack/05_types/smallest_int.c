// expect: unsafe-or-unknown  models: LP64 ILP32
// 2147483648 is no int: it is the first of long and long long that holds it.
extern void reach_error(void);
int main(void) { if (-2147483648 < 0 && sizeof(-2147483648) == 8) reach_error(); return 0; }
