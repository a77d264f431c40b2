// expect: safe
extern void reach_error(void);
#define FIRST(x) ({ __label__ out; int found = -1; for (int i = 0; i < 5; i++) if (i * i >= (x)) { found = i; goto out; } out: found; })
int main(void) {
  int size = sizeof(({ int n = 0; again: n++; if (n < 3) goto again; (short)n; }));
  __typeof__(FIRST(4)) value = FIRST(10);
  if (!((sizeof(FIRST(1) + FIRST(2)), value == 4) && size == 2)) reach_error();
  return 0; }
