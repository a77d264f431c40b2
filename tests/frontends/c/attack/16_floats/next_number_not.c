// expect: unsafe
#include <math.h>
extern void reach_error(void);
int main(void) {
    if (!(nextafter(1, 2) == 0x1.0000000000001p0 && nextafter(0, -1) == -0x1p-1074 && nextafterf(1, 0) == 0x1.fffffep-1f)) reach_error();
    if (ilogb(10.0) == 3 && logb(0.3) == -2 && ilogb(0x1p-1074) == -1074 && logb(0) < 0) reach_error();
    return 0;
}
