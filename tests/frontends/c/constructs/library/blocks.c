// item: `string.h`: memory
#include <assert.h>
#include <string.h>

struct ring { unsigned char data[8]; int used; };

static void push(struct ring *r, const void *bytes, int count)
{
    memmove(r->data + count, r->data, sizeof r->data - count);
    memcpy(r->data, bytes, count);
    r->used += count;
}

int main(void)
{
    struct ring r;
    short number = 0x0102;
    memset(&r, 0, sizeof r);
    push(&r, "abc", 3);
    push(&r, &number, sizeof number);
    assert(r.used == 5 && r.data[0] == 2 && r.data[1] == 1 && r.data[2] == 'a');
    unsigned char *found = memchr(r.data, 'c', sizeof r.data);
    assert(found == r.data + 4);
#ifdef UNSAFE
    assert(memcmp(r.data + 2, "abd", 3) == 0);
#else
    assert(memcmp(r.data + 2, "abd", 3) < 0 && r.data[7] == 0);
#endif
    return 0;
}
