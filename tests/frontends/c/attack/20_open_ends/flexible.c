// expect: safe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
struct s { int n; char data[]; };
int main(void) {
  struct s *s = malloc(sizeof(struct s) + 8);
  s->n = 8;
  for (int i = 0; i < s->n; i++) s->data[i] = i;
  if (s->data[5] != 5 || s->n != 8) reach_error();
  return 0;
}
