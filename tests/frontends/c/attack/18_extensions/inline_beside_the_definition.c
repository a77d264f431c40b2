// expect: safe  models: LP64 ILP32
extern void reach_error(void);
extern __inline __attribute__((__gnu_inline__)) int f(int x) { return x + 1; }
int f(int x) { return x + 1; }
int main(void) {
  if (!(f(2) == 3)) reach_error();
  return 0;
}
