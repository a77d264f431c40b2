// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
unsigned n = 16;
int main(void) {
  int x = 0;
  char *b = malloc(8);
  *(int **)b = &x;
  b = realloc(b, n);
  **(int **)b = 5;
  if (x == 5) reach_error();
  return 0;
}
