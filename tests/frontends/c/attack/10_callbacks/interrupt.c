// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
static int n;
__attribute__((interrupt)) void handler(void *frame) { n = 1; }
int main(void) { if (n) reach_error(); return 0; }
