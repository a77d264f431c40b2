// item: atomics where there is one thread  ledger: atomic
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

struct shared { atomic_int references; atomic_flag busy; _Atomic unsigned high; int payload; };

static void take(struct shared *s)
{
    atomic_fetch_add_explicit(&s->references, 1, memory_order_relaxed);
}

static bool drop(struct shared *s)
{
    return atomic_fetch_sub(&s->references, 1) == 1;
}

static void highest(struct shared *s, unsigned value)
{
    unsigned seen = atomic_load(&s->high);
    while (seen < value && !atomic_compare_exchange_weak(&s->high, &seen, value))
        ;
}

int main(void)
{
    struct shared s = { .busy = ATOMIC_FLAG_INIT, .payload = 5 };
    atomic_init(&s.references, 1);
    take(&s);
    assert(!atomic_flag_test_and_set(&s.busy) && atomic_flag_test_and_set(&s.busy));
    highest(&s, 17);
    highest(&s, 9);
    s.high += 3;
    assert(s.high == 20);
    bool last = drop(&s);
    assert(!last && __sync_add_and_fetch(&s.payload, 2) == 7);
    last = drop(&s);
#ifdef UNSAFE
    assert(!last);
#else
    assert(last && atomic_load(&s.references) == 0);
#endif
    return 0;
}
