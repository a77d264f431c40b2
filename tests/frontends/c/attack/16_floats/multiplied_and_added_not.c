// expect: unsafe  options: volatile=plain
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = 134217729.0, square = x * x;
    if (!(fma(2, 3, 4) == 10 && square + -18014398777917440.0 == 0)) reach_error();
    if (fma(x, x, -18014398777917440.0) == 1 && fmaf(2, 3, 4) == 10) reach_error();
    return 0;
}
