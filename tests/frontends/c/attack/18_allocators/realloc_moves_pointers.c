// expect: unsafe
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
int a = 1, b = 2;
unsigned n = 3;
int main(void) {
  int **t = malloc(2 * sizeof(int *));
  t[0] = &a;
  t[1] = &b;
  t = realloc(t, n * sizeof(int *));
  *t[1] = 7;
  if (b == 7) reach_error();
  return 0;
}
