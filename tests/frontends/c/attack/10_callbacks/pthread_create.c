// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
static void *h(void *x) { reach_error(); return x; }
int main(void) { unsigned long t; void *(*p)(void *) = h; pthread_create(&t, 0, p, 0); return 0; }
