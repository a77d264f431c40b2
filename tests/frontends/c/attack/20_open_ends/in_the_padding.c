// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
struct s { int n; char c; char data[]; };
int main(void) {
  struct s *s = malloc(sizeof(struct s) + 2);
  s->data[0] = 'a';
  s->data[4] = 'b';
  char *p = (char *)s;
  if (sizeof(struct s) == 8 && p[5] == 'a' && p[9] == 'b' && &s->data[4] == p + 9) reach_error();
  return 0;
}
