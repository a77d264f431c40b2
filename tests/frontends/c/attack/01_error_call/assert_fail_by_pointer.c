// expect: unsafe-or-unknown
extern void __assert_fail(const char *, const char *, unsigned, const char *);
typedef void fail(const char *, const char *, unsigned, const char *);
int main(void) { fail *f = __assert_fail; f("x", "x.c", 1, "main"); return 0; }
