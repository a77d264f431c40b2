// expect: unknown  truth: argued  options: volatile=plain
extern void reach_error(void);
// It is unsafe where the mode counts; only that to the nearest is modelled.
extern int fesetround(int);
int main(void) {
  volatile double one = 1, three = 3;
  double near = one / three;
  fesetround(0x800);
  if (one / three != near) reach_error();
  return 0; }
