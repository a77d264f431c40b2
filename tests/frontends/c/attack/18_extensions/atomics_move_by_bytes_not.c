// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
int row[10];
int *p = row;
int main(void) {
  int *before = __sync_fetch_and_add(&p, 2 * sizeof(int));
  int *after = __atomic_sub_fetch(&p, sizeof(int), __ATOMIC_RELAXED);
  if ((before == row && after == row + 1 && p == after)) reach_error();
  return 0;
}
