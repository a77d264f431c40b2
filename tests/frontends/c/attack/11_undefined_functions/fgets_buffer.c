// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void *stdin;
extern char *fgets(char *, int, void *);
int main(void) { char b[4] = {0}; fgets(b, 4, stdin); if (b[0] == 'x') reach_error(); return 0; }
