// expect: safe-or-unknown  truth: argued
// Two elements 2^32 apart are two; no machine of the tests has the memory to show it.
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
  unsigned long n = 1UL << 33;
  int *a = malloc(n * sizeof(int));
  if (!a) return 0;
  a[0] = 1;
  a[1UL << 32] = 2;
  if (a[0] != 1) reach_error();
}
