// item: `setjmp`, refused where it is reached  refused: jmp
#include <assert.h>
#include <setjmp.h>

static jmp_buf recover;
static int depth;

static void parse(int level)
{
    depth = level;
    if (level > 2)
        longjmp(recover, 1);
    parse(level + 1);
}

int main(void)
{
#ifdef UNSAFE
    if (setjmp(recover)) {
        assert(depth != 3);
        return 0;
    }
    parse(0);
#else
    assert(depth == 0); /* nothing calls parse */
#endif
    return 0;
}
