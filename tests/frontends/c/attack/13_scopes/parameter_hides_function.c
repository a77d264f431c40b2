// expect: unsafe-or-unknown
extern void reach_error(void);
static int f(int f) { return f + 1; }
int main(void) { if (f(1) == 2) reach_error(); return 0; }
