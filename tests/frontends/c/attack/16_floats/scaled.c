// expect: safe
#include <math.h>
extern void reach_error(void);
int main(void) {
    int e;
    if (!(frexp(10.0, &e) == 0.625 && e == 4 && ldexp(0.5, 4) == 8)) reach_error();
    if (!(ldexp(0x1.8000000000001p0, -1074) == 0x1p-1073 && scalbn(3, -1) == 1.5)) reach_error();
    if (!(ldexp(-1, 2000) < -1e308 && frexp(0x1p-1074, &e) == 0.5 && e == -1073)) reach_error();
    return 0;
}
