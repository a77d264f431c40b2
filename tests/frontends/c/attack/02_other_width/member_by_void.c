// expect: unsafe-or-unknown
extern void reach_error(void);
struct s { short a; int b; } s = {1, 0x10002};
static void low(void *at) { short *p = at; *p = 3; }
int main(void) { low(&s.b); if (s.b == 0x10003) reach_error(); return 0; }
