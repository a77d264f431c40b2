// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int order(const void *a, const void *b) { reach_error(); return 0; }
int main(void) { int a[2] = {2, 1}; int (*f)(const void *, const void *) = order; qsort(a, 2, sizeof(int), f); return 0; }
