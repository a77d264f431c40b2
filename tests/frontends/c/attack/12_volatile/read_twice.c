// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
volatile int v;
int main(void) { int a = v, b = v; if (a != b) reach_error(); return 0; }
