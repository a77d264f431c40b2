// item: functions of `math.h` with one result
#include <assert.h>
#include <math.h>

struct point { double x, y; };

static double wrapped(double angle)
{
    double rest = fmod(angle, 360.0);
    return rest < 0.0 ? rest + 360.0 : rest;
}

int main(void)
{
    struct point p = { 3.0, -4.0 };
    double whole, part = modf(-2.75, &whole);

    assert(sqrt(p.x * p.x + p.y * p.y) == 5.0);
    assert(floor(-0.5) == -1.0 && ceil(-0.5) == 0.0 && trunc(-2.9f) == -2.0);
    assert(round(2.5) == 3.0 && rint(2.5) == 2.0 && lround(-2.5) == -3);
    assert(fmax(p.x, p.y) == 3.0 && fmin(p.x, fabs(p.y)) == 3.0 && copysign(1.0, p.y) == -1.0);
    assert(whole == -2.0 && part == -0.75 && ldexp(0.5, 4) == 8.0);
    assert(wrapped(-90.0) == 270.0);
#ifdef UNSAFE
    assert(sqrtf(2.0f) * sqrtf(2.0f) == 2.0f);
#else
    assert(sqrtf(2.0f) == 1.41421354f);
#endif
    return 0;
}
