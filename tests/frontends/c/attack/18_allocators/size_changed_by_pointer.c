// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int *get(int n) { int *p = malloc(8), *q = &n; *q = 100; p[0] = n; return p; }
int main(void) { int *p = get(4); if (*p == 100) reach_error(); return 0; }
