// expect: unsafe
extern void reach_error(void);
int main(void) {
  double zero = 0.0, x = zero / zero;
  if (x != x && !(x < 1) && !(x >= 1)) reach_error();
  return 0;
}
