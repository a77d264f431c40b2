// expect: unsafe
extern void reach_error(void);
static int f(void) { return __func__[0] == 'f' && __func__[1] == 0 && sizeof(__func__) == 2; }
int main(void) { if (f()) reach_error(); return 0; }
