// item: `_Alignas` of members, objects and structures
#include <assert.h>
#include <stdalign.h>
#include <stddef.h>

struct line { char head; alignas(64) char bytes[60]; int owner; };
static alignas(double) char arena[3 * sizeof(double)];
static struct line lines[2];

static size_t rounded(size_t bytes, size_t alignment)
{
    return (bytes + alignment - 1) & ~(alignment - 1);
}

int main(void)
{
    assert(_Alignof(struct line) == 64 && sizeof(struct line) == 128 && offsetof(struct line, bytes) == 64);
    assert(_Alignof(arena) == _Alignof(double) && sizeof lines == 256 && rounded(65, _Alignof(struct line)) == 128);
    lines[1].owner = 3;
#ifdef UNSAFE
    assert(offsetof(struct line, owner) == 128);
#else
    assert(offsetof(struct line, owner) == 124 && lines[0].owner == 0);
#endif
    return 0;
}
