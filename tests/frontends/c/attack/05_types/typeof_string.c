// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { typeof("abc") s = "xyz"; if (sizeof s == 4 && s[0] == 'x') reach_error(); return 0; }
