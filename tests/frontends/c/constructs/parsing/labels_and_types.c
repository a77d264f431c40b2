// item: a label, member or tag with a type's name
#include <assert.h>

typedef int state;
typedef struct { state state; int next; } next;
struct state { next next; };

static int step(state x)
{
    if (x > 2)
        goto state;
    x += 10;
state:;
    next here = { .state = x, .next = 2 };
    { int next = here.next; struct state state = { here }; return state.next.state * next; }
}

int main(void)
{
#ifdef UNSAFE
    assert(step(1) == 2);
#else
    assert(step(1) == 22 && step(3) == 6);
#endif
    return 0;
}
