// item: a flexible array member, filled by `malloc`
#include <assert.h>
#include <stdlib.h>

struct packet {
    unsigned short kind, length;
    unsigned char payload[];
};

static struct packet *packet(unsigned short kind, unsigned short length)
{
    struct packet *made = malloc(sizeof *made + length);
    if (!made)
        return NULL;
    made->kind = kind;
    made->length = length;
    for (unsigned i = 0; i < length; i++)
        made->payload[i] = (unsigned char)(kind + i);
    return made;
}

static unsigned sum(const struct packet *p)
{
    unsigned total = 0;
    for (unsigned i = 0; i < p->length; i++)
        total += p->payload[i];
    return total;
}

int main(void)
{
    struct packet *first = packet(10, 4), *second = packet(0xfe, 3);
    if (!first || !second)
        return 0;
    assert(sum(first) == 46 && sizeof(struct packet) == 4);
#ifdef UNSAFE
    assert(sum(second) == 765);
#else
    assert(sum(second) == 0xfe + 0xff + 0);
#endif
    free(second);
    free(first);
    return 0;
}
