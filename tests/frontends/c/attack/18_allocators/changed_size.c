// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int *get(int n) { int *p; n += 4; p = malloc(n); p[0] = n; return p; }
int main(void) { int *p = get(4); if (*p == 8) reach_error(); return 0; }
