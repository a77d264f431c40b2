// item: `_Complex`, refused where it matters  refused: _Complex|complex
#include <assert.h>

int main(void)
{
    double _Complex z = 3.0;
    int plain = 4;
    z = z * z;
#ifdef UNSAFE
    assert(__real__ z == 10.0);
#else
    assert(plain == 4); /* nothing that is asked depends on it */
#endif
    return 0;
}
