// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern long getline(char **, unsigned long *, void *);
int main(void) { char *l = 0; unsigned long n = 0; getline(&l, &n, 0); if (n == 42) reach_error(); return 0; }
