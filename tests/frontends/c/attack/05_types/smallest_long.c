// expect: unsafe-or-unknown  truth: argued
// gcc: the constant fits no type but __int128, which is signed (clang takes an unsigned type).
extern void reach_error(void);
int main(void) { if (-9223372036854775808 < 0) reach_error(); return 0; }
