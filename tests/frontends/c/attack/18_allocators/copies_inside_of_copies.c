// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int *get(int n) { int *p = malloc(sizeof(int)); *p = n; return p; }
int *pair(int n) { int *p = get(n), *q = get(n + 1); *p += *q; return p; }
int main(void) { int *p = pair(1), *q = pair(10); if (*p == 3 && *q == 21) reach_error(); return 0; }
