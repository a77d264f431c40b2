// item: statement expressions everywhere: min and max, swap, in conditions and arguments
#include <assert.h>

#define min(x, y) ({ typeof(x) _x = (x); typeof(y) _y = (y); (void)(&_x == &_y); _x < _y ? _x : _y; })
#define max(x, y) ({ __auto_type _a = (x); __auto_type _b = (y); _a > _b ? _a : _b; })
#define swap(a, b) do { typeof(a) __t = (a); (a) = (b); (b) = __t; } while (0)

static int calls;
static int counted(int x) { calls++; return x; }

int main(void)
{
    int a = 3, b = 9, list[max(2, 4) > 3 ? 4 : 1];
    swap(a, b);
    assert(a == 9 && min(a, b) == 3 && max(min(a, 5), min(b, 7)) == 5 && sizeof list == 16);
    int m = max(counted(4), counted(6));
    assert(m == 6 && calls == 2); /* each argument once */
    for (int i = ({ calls = 0; 0; }); ({ calls++; i < 3; }); i = ({ if (i == 1) i++; i + 1; }))
        a += i;
    switch (({ int t = a; t / 3; })) {
    case 3: a = 100; break;
    default: a = 0;
    }
#ifdef UNSAFE
    assert(calls == 4);
#else
    assert(calls == 3 && a == 100);
#endif
    return 0;
}
