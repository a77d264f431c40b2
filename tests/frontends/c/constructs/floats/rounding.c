// item: each operation is rounded to its type, to the nearest  ledger: FLT_EVAL_METHOD|rounded
#include <assert.h>

int main(void)
{
    float tenth = 0.1f, sum = 0.0f;
    for (int i = 0; i < 10; i++)
        sum += tenth;
    double exact = 0.0;
    for (int i = 0; i < 10; i++)
        exact += 0.1;
    float big = 16777216.0f;
    float next = big + 1.0f; /* halfway, to the even one */

    assert(sum == 0x1.000002p+0f && exact == 0x1.fffffffffffffp-1);
    assert(next == big && big + 3.0f == 16777220.0f);
#ifdef UNSAFE
    assert(exact == 1.0);
#else
    assert(exact != 1.0 && sum != 1.0f);
#endif
    return 0;
}
