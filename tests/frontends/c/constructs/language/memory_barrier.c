// item: inline assembler that clobbers memory: what it may reach is arbitrary  truth: argued  refused: asm
#include <assert.h>

static int shared, own;
int *published = &shared;

#define barrier() __asm__ __volatile__("" : : : "memory")
#define notify(door) __asm__ __volatile__("int $0x80" : : "a"(door) : "memory")

int main(void)
{
    int local = 1;
    own = 2;
    shared = 3;
    barrier();
    assert(shared == 3); /* without instructions nothing happens */
    notify(7);
#ifdef UNSAFE
    assert(shared == 3); /* somebody may have changed it, and no counterexample is made of that */
#else
    assert(local == 1 && own == 2);
#endif
    return 0;
}
