// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { if (L'\xffffffff' < 0 && U'\xffffffff' > 0) reach_error(); return 0; }
