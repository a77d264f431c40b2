// expect: unsafe-or-unknown  truth: argued  ledger: freed|used afterwards
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) { int *p = malloc(4), *q; free(p); q = malloc(4); if (p == q) reach_error(); return 0; }
