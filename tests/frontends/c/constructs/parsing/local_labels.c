// item: `__label__`: labels of a block, in macros
#include <assert.h>

#define FIND(array, count, wanted) ({ \
    __label__ found; \
    int at_ = 0; \
    for (; at_ < (count); at_++) \
        if ((array)[at_] == (wanted)) \
            goto found; \
    at_ = -1; \
found: \
    at_; })

int main(void)
{
    int values[] = { 4, 8, 15, 16 };
    int a = FIND(values, 4, 15), b = FIND(values, 4, 5);
#ifdef UNSAFE
    assert(a == 3);
#else
    assert(a == 2 && b == -1);
#endif
    return 0;
}
