// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void fill(char *, int);
int main(void) { int x = 0; fill((char *)&x, 4); if (x == 42) reach_error(); return 0; }
