// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int *get(char n) { int *p = malloc(n); *p = n; return p; }
int main(void) { int *p = get(260); if (*p == 4) reach_error(); return 0; }
