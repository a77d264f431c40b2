// item: intervals for integers, in product with the others  truth: argued
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum mode { IDLE, FILLING, FULL };

int main(void)
{
    enum mode mode = IDLE;
    int level = 0, rounds = 0;
    while (__VERIFIER_nondet_int()) {
        int flow = __VERIFIER_nondet_int();
        if (flow < 0 || flow > 7)
            flow = 0;
        if (mode == IDLE && flow > 0)
            mode = FILLING;
        if (mode == FILLING) {
            level += flow;
            if (level > 900)
                mode = FULL;
        }
        if (mode == FULL) {
            level = 0;
            mode = IDLE;
        }
        rounds = (rounds + 1) % 60;
#ifdef UNSAFE
        assert(level < 20);
#else
        assert(level >= 0 && level <= 900 && rounds < 60);
#endif
    }
    return 0;
}
