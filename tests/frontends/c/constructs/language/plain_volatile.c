// item: `--volatile plain`: an object as others are  options: volatile=plain
#include <assert.h>

static volatile int ready;
static volatile int mailbox[4];

static void interrupt(int value)
{
    mailbox[value & 3] = value;
    ready = 1;
}

int main(void)
{
    int got = 0;
    for (int i = 0; i < 6; i++) {
        if (i == 4)
            interrupt(i + 3);
        if (ready) {
            got += mailbox[3];
            ready = 0;
        }
    }
#ifdef UNSAFE
    assert(got == 14);
#else
    assert(got == 7 && !ready);
#endif
    return 0;
}
