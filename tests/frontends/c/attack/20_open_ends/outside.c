// expect: unsafe  truth: argued  property: G valid-deref
extern void reach_error(void);
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
struct s { int n; int data[]; };
/* There are three elements. */
int main(void) { struct s *s = malloc(sizeof(struct s) + 3 * sizeof(int)); s->n = 3; s->data[3] = 1; return 0; }
