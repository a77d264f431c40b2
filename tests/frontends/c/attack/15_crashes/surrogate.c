// expect: safe-or-unknown  truth: argued
extern void reach_error(void);
int main(void) { return "\ud800"[0]; }
