// expect: unsafe
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
int main(void) {
  int *p = malloc(2 * sizeof(int));
  p[0] = 3;
  p[1] = 4;
  p = realloc(p, 4 * sizeof(int));
  p[3] = 5;
  if (p[0] == 3 && p[1] == 4) reach_error();
  return 0;
}
