// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
# 1 "atomics.h" 1 3
typedef _Atomic(int) counter;
typedef struct { int x __attribute__((aligned(16))); _Atomic(long) n; } holder;
# 3 "program.c" 2
counter c;
holder h;
_Atomic(int) *p = &c;
int main(void) {
  c += 2;
  h.n = 3;
  if (*p == 2 || h.n != 3 || sizeof(holder) != 16) reach_error();
  return 0;
}
