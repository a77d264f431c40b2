// item: float and double in a control loop, unbounded, decided by intervals  truth: argued
/* A PI controller whose integral part is saturated, as it stands in firmware. */
#include <assert.h>

extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);

static const float gain = 0.5f, share = 0.125f;
#ifdef UNSAFE
static const float highest = 120.0f; /* the duty cycle is a percentage */
#else
static const float highest = 100.0f;
#endif

static float clamp(float value, float low, float high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

int main(void)
{
    float integral = 0.0f;
    while (__VERIFIER_nondet_int()) {
        float error = __VERIFIER_nondet_float();
        if (!(error >= -500.0f && error <= 500.0f))
            continue;
        integral = clamp(integral + error * share, 0.0f, 50.0f);
        float duty = clamp(error * gain + integral, 0.0f, highest);
        assert(duty >= 0.0f && duty <= 100.0f);
    }
    return 0;
}
