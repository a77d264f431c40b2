// item: vectors, which may be declared and copied; operations are refused  refused: vector  truth: argued
#include <assert.h>

typedef int four __attribute__((vector_size(16)));

int main(void)
{
    struct { int before; four lanes; } x, y;
    int count = sizeof(four) / sizeof(int);
    x.before = 7;
    y = x;
#ifdef UNSAFE
    four sum = y.lanes + y.lanes;
    assert(sum[2] % 2);
#else
    assert(count == 4 && y.before == 7);
#endif
    return 0;
}
