// item: packed and aligned by structure, pragma pack
#include <assert.h>
#include <stddef.h>
#include <string.h>

#pragma pack(push, 1)
struct header { unsigned char kind; unsigned short length; unsigned int sequence; };
struct frame { struct header header; unsigned char payload[8]; unsigned short check; };
#pragma pack(pop)
struct slot { char used; struct frame frame; } __attribute__((aligned(32)));

static unsigned short sum(const unsigned char *bytes, size_t count)
{
    unsigned short total = 0;
    while (count--)
        total = (unsigned short)(total + *bytes++);
    return total;
}

int main(void)
{
    struct slot slot = { 1, { { 2, 8, 0x01020304 }, "abcdefg", 0 } };
    slot.frame.check = sum((unsigned char *)&slot.frame, offsetof(struct frame, check));
    assert(sizeof(struct header) == 7 && sizeof(struct frame) == 17 && sizeof(struct slot) == 32);
    unsigned char line[sizeof(struct frame)];
    memcpy(line, &slot.frame, sizeof line);
    assert(line[1] == 8 && line[2] == 0 && line[3] == 4 && line[6] == 1 && line[7] == 'a');
#ifdef UNSAFE
    assert(slot.frame.check == 700);
#else
    assert(slot.frame.check == 2 + 8 + 10 + 700);
#endif
    return 0;
}
