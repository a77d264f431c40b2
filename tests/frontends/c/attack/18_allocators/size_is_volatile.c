// expect: unsafe-or-unknown  truth: argued
// A volatile parameter may change by itself.
extern void reach_error(void);
extern void *malloc(unsigned long);
int *get(volatile int n) { int *p = malloc(sizeof(int)); if (n != 4) reach_error(); return p; }
int main(void) { get(4); return 0; }
