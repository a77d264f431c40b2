// item: `volatile`: an interrupt flag gives any value at each read  truth: argued  ledger: volatile
#include <assert.h>

static volatile unsigned pending; /* an interrupt sets bits of it */
static unsigned served;

static void serve(unsigned bits)
{
    assert(bits != 0); /* called for something only */
    served |= bits;
}

int main(void)
{
    for (int round = 0; round < 4; round++) {
#ifdef UNSAFE
        if (pending & 3)
            serve(pending & 3); /* a second read */
#else
        unsigned seen = pending & 3;
        if (seen)
            serve(seen);
#endif
    }
    assert(served <= 3);
    return 0;
}
