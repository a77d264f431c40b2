// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { if (0x8000000000000000 > 0 && -9223372036854775807 - 1 < 0 && 18446744073709551615u > 0) reach_error(); return 0; }
