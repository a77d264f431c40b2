// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
volatile int v; int x;
int main(void) { int c = x; if (*(c ? &x : &v)) reach_error(); return 0; }
