// item: `__builtin_types_compatible_p`, `__builtin_choose_expr`, `_Generic`, `typeof`
#include <assert.h>

#define IS_ARRAY(a) (!__builtin_types_compatible_p(typeof(a), typeof(&(a)[0])))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]) + 0 * sizeof(char[IS_ARRAY(a) ? 1 : -1]))
#define MAGNITUDE(x) _Generic((x), int: of_int, unsigned: of_unsigned, float: of_float, default: of_other)(x)
#define WIDE(x) __builtin_choose_expr(sizeof(x) > 4, (x), (long long)(x))

static int of_int(int x) { return x < 0 ? -x : x; }
static int of_unsigned(unsigned x) { return (int)(x >> 1); }
static int of_float(float x) { return (int)(x < 0 ? -x : x); }
static int of_other(double x) { return -1; }

int main(void)
{
    int values[7];
    const int fixed = -4;
    char c = 'a';
    assert(ARRAY_SIZE(values) == 7 && sizeof WIDE(c) == 8);
    assert(MAGNITUDE(fixed) == 4 && MAGNITUDE(6u) == 3 && MAGNITUDE(-2.5f) == 2);
    assert(__builtin_types_compatible_p(typeof(fixed), int) && !__builtin_types_compatible_p(char, signed char));
#ifdef UNSAFE
    assert(MAGNITUDE(2.5) == 2);
#else
    assert(MAGNITUDE(2.5) == -1 && MAGNITUDE(c) == -1);
#endif
    return 0;
}
