// expect: safe  models: LP64 ILP32
extern void reach_error(void);
typedef int (*compare)(const void *a, const void *b);
typedef struct tag { int value; } pair;
static int both(int a, int b) { return (a) && b; }
static long either(int c, int a, int b) { return c ? (long)a : (long)b; }
static int local(int c, int other) { int pair = 3, tag = 5; return c ? (int)pair : c ? c : (int)tag; }
static int shadowed(int pair, int b) { return (pair) && b; }
int main(void) {
  if (!(!both(1, 0) && both(1, 2) && either(1, 5, 6) == 5 && local(1, 0) == 3 && local(0, 0) == 5 && shadowed(2, 3))) reach_error();
  return 0;
}
