// expect: safe
extern void reach_error(void);
int main(void) {
  double zero = 0.0, x = zero - zero, y = -zero - zero;
  if (1 / x < 0 || 1 / y > 0) reach_error();
  return 0;
}
