// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { const char *s = "é"; if (sizeof "é" == 3 && (unsigned char)s[0] == 0xc3) reach_error(); return 0; }
