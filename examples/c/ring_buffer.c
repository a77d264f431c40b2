/* Expected verdict: SAFE
 *
 * A ring buffer of two bytes: what is taken out is what was put in, in the same order, however the two alternate. The
 * buffer is a structure with an array in it, reached through a pointer; every cell of it is a variable of the model.
 */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 2

struct ring {
    unsigned char data[SIZE];
    unsigned int first, count;
};

static int put(struct ring *ring, unsigned char byte) {
    if (ring->count == SIZE)
        return 0;
    ring->data[(ring->first + ring->count) % SIZE] = byte;
    ring->count++;
    return 1;
}

static int take(struct ring *ring, unsigned char *byte) {
    if (ring->count == 0)
        return 0;
    *byte = ring->data[ring->first];
    ring->first = (ring->first + 1) % SIZE;
    ring->count--;
    return 1;
}

int main(void) {
    struct ring ring = { { 0 }, 0, 0 };
    unsigned char sent = 0, expected = 0, byte;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && put(&ring, sent))
            sent++;
        if (__VERIFIER_nondet_int() && take(&ring, &byte)) {
            if (byte != expected)
                reach_error();
            expected++;
        }
    }
    return 0;
}
