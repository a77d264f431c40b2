// item: the bits of a number: unions, memcpy, pointers
#include <assert.h>
#include <stdint.h>
#include <string.h>

union word { float number; uint32_t bits; struct { uint32_t fraction : 23, exponent : 8, sign : 1; } parts; };

static float inverse_root(float number)
{
    float half = number * 0.5f;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits = 0x5f3759df - (bits >> 1);
    memcpy(&number, &bits, sizeof number);
    return number * (1.5f - half * number * number);
}

int main(void)
{
    union word w = { .number = -6.5f };
    assert(w.bits == 0xc0d00000u && w.parts.sign == 1 && w.parts.exponent - 127 == 2);
    w.parts.sign = 0;
    assert(w.number == 6.5f);
    float root = inverse_root(4.0f);
    assert(root > 0.499f && root < 0.501f);
#ifdef UNSAFE
    assert(root == 0.5f);
#else
    assert(root != 0.5f);
#endif
    return 0;
}
