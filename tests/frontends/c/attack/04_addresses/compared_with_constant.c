// expect: unsafe-or-unknown  truth: argued
// An address may be larger than a constant or not.
extern void reach_error(void);
int x;
int is_error(const void *p) { return (unsigned long)p > (unsigned long)-4095; }
int main(void) { if (!is_error(&x)) reach_error(); return 0; }
