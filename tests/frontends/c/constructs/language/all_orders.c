// item: `--evaluation-order all`: each order is explored  options: evaluation_order=all  truth: argued
#include <assert.h>

static int position;
static int next(void) { return ++position; }

int main(void)
{
    int difference = next() - next();
#ifdef UNSAFE
    assert(difference == -1);
#else
    assert(difference == -1 || difference == 1);
#endif
    return 0;
}
