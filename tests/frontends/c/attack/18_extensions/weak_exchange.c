// expect: safe  models: LP64
extern void reach_error(void);
#include <stdatomic.h>
atomic_int state = 3;
int main(void) {
  int seen = 3, rounds = 0;
  while (!atomic_compare_exchange_weak(&state, &seen, seen + 5)) rounds++;
  if (!(state == 8 && rounds == 0 && __atomic_always_lock_free(4, 0))) reach_error();
  return 0;
}
