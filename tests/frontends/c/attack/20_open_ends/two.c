// expect: safe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
struct s { int n; int data[]; };
int main(void) {
  struct s *a = malloc(sizeof(struct s) + 2 * sizeof(int)), *b = malloc(sizeof(struct s) + 3 * sizeof(int));
  a->n = 2; b->n = 3;
  a->data[1] = 4; b->data[1] = 5; b->data[2] = 6;
  int *p = a->data;
  p[0] = 1;
  if (a->data[0] + a->data[1] + b->data[1] + b->data[2] != 16) reach_error();
  return 0;
}
