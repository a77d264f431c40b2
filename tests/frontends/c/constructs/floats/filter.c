// item: intervals with widening: a filter that has no bound of rounds  truth: argued
#include <assert.h>

extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double level = 0.0;
    while (__VERIFIER_nondet_int()) {
        double sample = __VERIFIER_nondet_double();
        if (!(sample >= -1.0 && sample <= 1.0))
            sample = 0.0;
        level = 0.75 * level + 0.25 * sample;
#ifdef UNSAFE
        assert(level < 0.25);
#else
        assert(level >= -2.0 && level <= 2.0);
#endif
    }
    return 0;
}
