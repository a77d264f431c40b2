// expect: unsafe  truth: argued
extern void reach_error(void);
/* Nobody says in which order elements are that are equal. */
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
struct pair { int key; char name; };
static int order(const void *a, const void *b) {
  const struct pair *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}
int main(void) {
  struct pair p[4] = {{5, 'a'}, {2, 'b'}, {9, 'c'}, {5, 'd'}};
  qsort(p, 4, sizeof *p, order);
  if (p[1].name == 'd') reach_error();
  return 0;
}
