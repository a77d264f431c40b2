// expect: safe-or-unknown
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
int main(void) {
  int *p = malloc(6);
  ((char *)p)[4] = 7;
  p = realloc(p, 8);
  if (((char *)p)[4] != 7) reach_error();
  return 0;
}
