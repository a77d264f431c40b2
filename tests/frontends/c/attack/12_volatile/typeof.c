// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
volatile int v;
int main(void) { __typeof__(v) w = 0; if (w) reach_error(); return 0; }
