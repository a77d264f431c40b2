// expect: safe
#include <math.h>
extern void reach_error(void);
int main(void) {
  double zero = -0.0;
  if (!(1 / sin(zero) < 0 && cos(0.0) == 1 && exp(zero) == 1 && log(1.0) == 0 && pow(7.5, zero) == 1 && atan2(0.0, 3.0) == 0 && hypot(zero, -3.0) == 3 && tanf(0.0f) == 0)) reach_error();
  return 0; }
