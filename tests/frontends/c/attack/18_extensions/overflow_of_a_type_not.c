// expect: unsafe
extern void reach_error(void);
int main(void) {
  unsigned u;
  int n;
  if (__builtin_uadd_overflow(-1, 1, &u) && u == 0 && !__builtin_sadd_overflow((int)4294967297L, 2, &n) && n == 3 && __builtin_ssub_overflow(3000000000u, 2000000000, &n)) reach_error();
  return 0; }
