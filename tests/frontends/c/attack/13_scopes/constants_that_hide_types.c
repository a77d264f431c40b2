// expect: safe  models: LP64 ILP32
extern void reach_error(void);
typedef short T;
typedef struct S { int a; } S;
static int f(int x) {
  enum { T = 4, S = T + 1 };
  return (T) * x - (T) + S;
}
static int own_size(void) {
  long T = sizeof(T);
  return T;
}
int main(void) {
  if (!(f(3) == 13 && own_size() == sizeof(long))) reach_error();
  return 0;
}
