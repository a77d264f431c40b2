// item: inline assembler: any value for its outputs, clobbers  truth: argued
#include <assert.h>

static unsigned swapped(unsigned x)
{
    unsigned result;
    __asm__("bswap %0" : "=r"(result) : "0"(x));
    return result;
}

int main(void)
{
    int kept = 7;
    unsigned low, high, state = 3;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    __asm__("incl %0" : "+r"(state) : : "cc");
    unsigned long long ticks = (unsigned long long)high << 32 | low;
#ifdef UNSAFE
    kept++;
#else
    unsigned mixed = swapped(low) & 0xff;
    assert((unsigned)ticks == low && mixed <= 255);
#endif
    assert(kept == 7); /* nothing but outputs is changed */
    return 0;
}
