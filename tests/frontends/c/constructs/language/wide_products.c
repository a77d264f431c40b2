// item: `__int128` (LP64 only, as in gcc)  models: LP64
#include <assert.h>
#include <stdint.h>

typedef unsigned __int128 uint128;

static uint64_t scaled(uint64_t ticks, uint32_t multiplier, unsigned shift)
{
    return (uint64_t)(((uint128)ticks * multiplier) >> shift);
}

static uint64_t high(uint64_t a, uint64_t b)
{
    return (uint64_t)((uint128)a * b >> 64);
}

int main(void)
{
    __int128 negative = -1;
    assert(sizeof(uint128) == 16 && negative >> 100 == -1 && (uint128)negative >> 127 == 1);
    assert(scaled(0x8000000000000000u, 3, 1) == 0xc000000000000000u);
    uint64_t product = high(0xffffffffffffffffu, 0xffffffffffffffffu);
#ifdef UNSAFE
    assert(product == 0xffffffffffffffffu);
#else
    assert(product == 0xfffffffffffffffeu);
#endif
    return 0;
}
