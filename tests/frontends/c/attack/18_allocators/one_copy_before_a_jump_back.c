// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int *get(int n) { int *p = malloc(sizeof(int)); *p = n; return p; }
int main(void) { int i = 0, *a[3]; again: a[i] = get(i); i++; if (i < 3) goto again; if (*a[0] == 0 && *a[2] == 2) reach_error(); return 0; }
