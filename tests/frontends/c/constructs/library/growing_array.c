// item: `stdlib.h`: `malloc`, `realloc`, `calloc`, `free`
#include <assert.h>
#include <stdlib.h>

struct vector { int *items; size_t used, room; };

static int push(struct vector *v, int item)
{
    if (v->used == v->room) {
        size_t room = v->room ? v->room * 2 : 2;
        int *items = realloc(v->items, room * sizeof *items);
        if (!items)
            return -1;
        v->items = items;
        v->room = room;
    }
    v->items[v->used++] = item;
    return 0;
}

int main(void)
{
    struct vector v = { NULL, 0, 0 };
    unsigned char *flags = calloc(4, 1);
    for (int i = 0; i < 5; i++)
        if (push(&v, i * i))
            return 1;
    assert(v.used == 5 && v.room == 8 && v.items[0] == 0 && v.items[3] == 9);
    assert(flags && flags[3] == 0);
#ifdef UNSAFE
    assert(v.items[4] == 20);
#else
    assert(v.items[4] == 16);
#endif
    free(v.items);
    free(flags);
    return 0;
}
