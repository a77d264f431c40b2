// item: comparisons: NaN, infinities, signed zeros, denormals
#include <assert.h>
#include <float.h>
#include <math.h>

static int ordered(double a, double b)
{
    return a < b || a == b || a > b;
}

int main(void)
{
    double zero = 0.0, minus = -0.0;
    double infinite = 1.0 / zero, nothing = zero / zero;
    float smallest = FLT_MIN / 2.0f;

    assert(zero == minus && 1.0 / minus == -infinite);
    assert(!ordered(nothing, nothing) && ordered(infinite, -infinite));
    assert(isnan(nothing) && !(nothing < 1.0) && !(nothing >= 1.0) && nothing != nothing);
    assert(infinite > DBL_MAX && isinf(infinite) && !isinf(nothing));
    assert(smallest > 0.0f && smallest * 2.0f == FLT_MIN && !isnormal(smallest));
#ifdef UNSAFE
    assert(isgreaterequal(nothing, nothing));
#else
    assert(isunordered(nothing, zero));
#endif
    return 0;
}
