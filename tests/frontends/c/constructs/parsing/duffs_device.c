// item: switch into a loop, labels anywhere
#include <assert.h>

static void copied(short *to, const short *from, int count)
{
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
    }
}

int main(void)
{
    short from[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, to[8] = { 0 };
    copied(to, from, 7);
    assert(to[0] == 1 && to[6] == 7);
    switch (to[1]) {
    case 0 ... 1: return 1;
    case 2 ... 5: break;
    }
#ifdef UNSAFE
    assert(to[7] == 8);
#else
    assert(to[7] == 0);
#endif
    return 0;
}
