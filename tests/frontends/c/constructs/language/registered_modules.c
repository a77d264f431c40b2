// item: constructors that register modules before main  truth: hosted
#include <assert.h>

struct module { const char *name; int (*start)(int); struct module *next; };
static struct module *modules;
static int count;

static void enter(struct module *m)
{
    m->next = modules;
    modules = m;
    count++;
}

#define MODULE(id, function) \
    static struct module id = { #id, function, 0 }; \
    __attribute__((constructor)) static void enter_##id(void) { enter(&id); }

static int doubled(int x) { return x * 2; }
static int raised(int x) { return x + 3; }

MODULE(doubling, doubled)
MODULE(raising, raised)
__attribute__((constructor(101))) static void first(void) { assert(count == 0); }

int main(void)
{
    int value = 5;
    for (struct module *m = modules; m; m = m->next)
        value = m->start(value);
    assert(count == 2);
#ifdef UNSAFE
    assert(value == 13); /* what was entered last starts first */
#else
    assert(value == 16);
#endif
    return 0;
}
