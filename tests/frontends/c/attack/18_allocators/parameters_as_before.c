// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int *get(n) int n; { int *p = malloc(sizeof(int)); *p = n; return p; }
int main(void) { int *p = get(3), *q = get(4); if (*p + *q == 7) reach_error(); return 0; }
