// expect: unsafe
#include <math.h>
extern void reach_error(void);
int main(void) {
    if (!(remainder(7.5, 2) == -0.5 && remainder(5, 2) == 1 && remainder(7, 2) == -1 && remainderf(9, 4) == 1)) reach_error();
    if (isnan(remainder(1, 0)) && remainder(3, INFINITY) == 3 && signbit(remainder(-4, 2))) reach_error();
    return 0;
}
