// expect: unsafe-or-unknown
extern void reach_error(void);
struct { int wide __attribute__((mode(DI))); } s;
int main(void) { s.wide = 1LL << 40; if (sizeof s == 8 && s.wide >> 40 == 1) reach_error(); return 0; }
