// expect: unsafe-or-unknown
extern void reach_error(void);
static void nothing(void) {}
int main(void) { int one = 1; (one ? reach_error : nothing)(); return 0; }
