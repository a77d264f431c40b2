/* Expected verdict: SAFE
 *
 * A harness for ring.c: whatever is put and got, in whatever order, the ring stays in its bounds, and what is got from
 * a ring that was empty is what was put last.
 */
#include "ring.c"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    struct ring r;
    ring_init(&r);
    while (__VERIFIER_nondet_int()) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        if (__VERIFIER_nondet_int()) {
            int was_empty = r.count == 0;
            int stored = ring_put(&r, byte);
            assert(stored || r.count == CAPACITY);
            if (was_empty && __VERIFIER_nondet_int())
                assert(ring_get(&r) == byte);
        } else {
            ring_get(&r);
        }
        assert(r.head < CAPACITY && r.count <= CAPACITY);
    }
    return 0;
}
