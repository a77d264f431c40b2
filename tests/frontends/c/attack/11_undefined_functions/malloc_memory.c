// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void set(int *);
int main(void) { int *p = malloc(sizeof(int)); if (!p) return 0; *p = 0; set(p); if (*p == 42) reach_error(); return 0; }
