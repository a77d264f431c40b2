// expect: unsafe-or-unknown
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "x.c", 3, "reach_error"); }
int main(void) { void (*f)(void) = reach_error; f(); return 0; }
