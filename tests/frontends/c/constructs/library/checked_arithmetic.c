// item: overflow arithmetic of gcc
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

static size_t sized(size_t count, size_t size, size_t head)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total) || __builtin_add_overflow(total, head, &total))
        return 0;
    return total;
}

static int saturated(int a, int b)
{
    int sum;
    return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT_MIN : INT_MAX) : sum;
}

int main(void)
{
    uint8_t byte;
    assert(sized(3, 4, 5) == 17 && sized(SIZE_MAX / 2, 3, 0) == 0);
    assert(saturated(INT_MAX, 1) == INT_MAX && saturated(INT_MIN, -1) == INT_MIN && saturated(4, 5) == 9);
    assert(__builtin_sub_overflow(3, 5, &byte) && byte == 254);
#ifdef UNSAFE
    assert(!__builtin_add_overflow(-1, 256u, &byte) && byte == 0);
#else
    assert(!__builtin_add_overflow(-1, 256u, &byte) && byte == 255);
#endif
    return 0;
}
