// item: certificates and counterexamples compute floats as the machine does  truth: argued
#include <assert.h>

extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (!(x >= 1.0f && x < 2.0f))
        return 0;
#ifdef UNSAFE
    assert(x + 0.1f - 0.1f == x); /* only some numbers lose a bit */
#else
    assert(x - 1.0f + 1.0f == x); /* exact in this binade */
#endif
    return 0;
}
