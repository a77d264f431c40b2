// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int *get(int n) { int *p = malloc(sizeof(int)); *p = n; return p; }
int main(void) { int *(*f)(int) = get; int *p = f(1), *q = get(2), *r = f(3); if (*p == 1 && *q == 2 && *r == 3) reach_error(); return 0; }
