// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
int i = 2147483647;
long long wide = 9223372036854775807;
int main(void) {
  int before = __sync_fetch_and_add(&i, 1);
  long long after = __atomic_add_fetch(&wide, 2, __ATOMIC_SEQ_CST);
  if ((before == 2147483647 && i < 0 && after < 0)) reach_error();
  return 0;
}
