// expect: unsafe-or-unknown
// gcc and clang: the characters are the digits of a number with base 256.
extern void reach_error(void);
int main(void) { if ('ab' == 24930) reach_error(); return 0; }
