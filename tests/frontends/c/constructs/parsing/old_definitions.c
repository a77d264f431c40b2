// item: K&R definitions, functions without a type
#include <assert.h>

static struct pair { int a, b; } last;
extern step();

scaled(value, factor)
    int value;
    short factor;
{
    return value * factor;
}

struct pair *paired(a, b, c)
    char b;
    register a;
    float c;
{
    last.a = a;
    last.b = b + (c > 0.5);
    return &last;
}

step(x) { return x + 1; }

main()
{
    assert(scaled(21, 2) == 42 && step(41) == 42);
#ifdef UNSAFE
    assert(scaled(3, 65538) == 3 * 65538); /* the parameter is a short */
#else
    assert(scaled(3, 65538) == 6 && paired(1, 2, 0.75)->b == 3 && last.a == 1);
#endif
    return 0;
}
