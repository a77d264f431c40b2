// expect: safe
#include <math.h>
extern void reach_error(void);
int main(void) {
    float f = -2.5f; double d = -0.0;
    if (!signbit(f) || !signbit(d) || signbit(-f) || signbit(f) != signbit(f - 1)) reach_error();
    return 0;
}
