// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { void *p = (void *)reach_error; void (*f)(void) = p; f(); return 0; }
