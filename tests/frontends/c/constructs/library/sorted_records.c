// item: `stdlib.h`: `qsort` and `bsearch` over structures
#include <assert.h>
#include <stdlib.h>

struct entry { int key; const char *name; };

static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

int main(void)
{
    struct entry table[] = { { 30, "c" }, { 10, "a" }, { 40, "d" }, { 20, "b" } };
    size_t count = sizeof table / sizeof table[0];
    qsort(table, count, sizeof table[0], by_key);
    for (size_t i = 1; i < count; i++)
        assert(table[i - 1].key < table[i].key);
    struct entry wanted = { 20, 0 };
    struct entry *found = bsearch(&wanted, table, count, sizeof *table, by_key);
    assert(found == &table[1] && found->name[0] == 'b');
    wanted.key = 25;
#ifdef UNSAFE
    assert(bsearch(&wanted, table, count, sizeof *table, by_key) == &table[2]);
#else
    assert(!bsearch(&wanted, table, count, sizeof *table, by_key));
#endif
    return 0;
}
