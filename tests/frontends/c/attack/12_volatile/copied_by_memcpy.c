// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
volatile int v;
int main(void) { int x; v = 0; memcpy(&x, (volatile int *)&v, sizeof x); if (x) reach_error(); return 0; }
