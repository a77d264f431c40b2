// expect: unsafe-or-unknown
extern void reach_error(void);
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int order(const void *a, const void *b) { return *(const short *)a - *(const short *)b; }
int main(void) {
  int x[2] = {0x00020001, 0x00040000};
  qsort(x, 4, 2, order);
  if (x[0] == 0x00000000 + 0x00010000 * 0 || x[1] == 0x00040002) reach_error();
  return 0;
}
