// item: `__builtin_clz`, ctz, popcount, parity, ffs, bswap  truth: hosted
#include <assert.h>
#include <limits.h>
#include <stdint.h>

struct bitmap { uint32_t words[2]; };

static int lowest(const struct bitmap *map)
{
    for (int i = 0; i < 2; i++)
        if (map->words[i])
            return i * 32 + __builtin_ctz(map->words[i]);
    return -1;
}

static unsigned rounded_up(unsigned x)
{
    return x <= 1 ? 1 : 1u << (32 - __builtin_clz(x - 1));
}

int main(void)
{
    struct bitmap map = { { 0, 0x00100400 } };
    assert(lowest(&map) == 42);
    map.words[1] &= map.words[1] - 1;
    assert(lowest(&map) == 52 && __builtin_popcount(map.words[1] | 7) == 4);
    assert(__builtin_bswap32(0x11223344) == 0x44332211 && __builtin_bswap16(0x1234) == 0x3412);
    assert(__builtin_parity(7) == 1 && __builtin_ffs(0) == 0 && __builtin_ffsll(1LL << 40) == 41);
    assert(__builtin_clzl(1) == sizeof(long) * CHAR_BIT - 1);
#ifdef UNSAFE
    assert(rounded_up(64) == 128);
#else
    assert(rounded_up(64) == 64 && rounded_up(65) == 128);
#endif
    return 0;
}
