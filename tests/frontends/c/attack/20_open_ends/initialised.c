// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
struct s { int n; char data[]; };
static struct s s = {3, {1, 2, 3}};
int main(void) { if (s.data[2] == 3) reach_error(); return 0; }
