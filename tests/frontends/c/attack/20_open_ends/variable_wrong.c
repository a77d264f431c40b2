// expect: unsafe  truth: argued
extern void reach_error(void);
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
struct s { int n; int data[]; };
/* What is written is read. */
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k < 1 || k > 100) return 0;
  struct s *s = malloc(sizeof(struct s) + k * sizeof(int));
  s->n = k;
  s->data[k - 1] = 7;
  if (s->data[k - 1] == 7 && s->n == 5) reach_error();
  return 0;
}
