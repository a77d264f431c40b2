// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { char c __attribute__((aligned(32))); if (__alignof__(c) == 32) reach_error(); return 0; }
