// item: the others by what the standard promises  truth: argued  refused: sin
/* What is promised is proved; a counterexample that needs the value of a sine is refused by its name. */
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double angle = __VERIFIER_nondet_double();
    if (!isfinite(angle))
        return 0;
    double height = 10.0 * sin(angle);
#ifdef UNSAFE
    assert(height < 9.0);
#else
    assert(height >= -10.0 && height <= 10.0 && exp(0.0) == 1.0);
#endif
    return 0;
}
