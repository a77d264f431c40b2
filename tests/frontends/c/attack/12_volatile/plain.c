// expect: safe-or-unknown  truth: argued  options: volatile=plain
extern void reach_error(void);
volatile int v;
int main(void) { v = 1; if (v != 1) reach_error(); return 0; }
