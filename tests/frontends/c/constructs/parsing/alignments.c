// item: `_Alignof` of an expression
#include <assert.h>

struct mixed { char tag; double value; short tail; };

#define PADDED(e) ((sizeof(e) + _Alignof(e) - 1) / _Alignof(e) * _Alignof(e))

int main(void)
{
    struct mixed m = { 'x', 1.5, 3 };
    short s = 4;
    char text[5];
    assert(_Alignof(s) == 2 && __alignof__(s + 1) == 4 && _Alignof(text) == 1 && __alignof(m.tail) == 2);
    assert(_Alignof m == _Alignof(struct mixed) && PADDED(text) == 5 && PADDED(m.value) == 8);
#ifdef UNSAFE
    assert(sizeof m == 2 * sizeof(double) + _Alignof(short));
#else
    assert(sizeof m == (sizeof(long) == 8 ? 24 : 16) && s == 4);
#endif
    return 0;
}
