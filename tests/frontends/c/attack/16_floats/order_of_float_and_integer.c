// expect: safe
#include <math.h>
extern void reach_error(void);
int main(void) {
    float f = 16777216.0f;
    double d = NAN;
    int i = 16777217;
    if (!(!isless(f, i) && !isgreater(f, i) && isunordered(d, i) && isless(1.5, 2))) reach_error();
    return 0;
}
