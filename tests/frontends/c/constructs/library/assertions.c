// item: `assert.h`, with and without `NDEBUG`
#include <assert.h>

static int checked(int x)
{
    assert(x != 3 && "three is not allowed");
    return x;
}

#define NDEBUG
#include <assert.h>
static int unchecked(int x)
{
    assert(x == 0);
    return x;
}

int main(void)
{
    int sum = unchecked(3) + checked(2);
#ifdef UNSAFE
    checked(sum - 2);
#else
    checked(sum);
#endif
    return 0;
}
