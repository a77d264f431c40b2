/* A module as it is written every day: a ring of bytes, used by an interrupt and by a task. Nothing in it is about
 * verification; tutorial/ring_check.c is. */
#define CAPACITY 8

struct ring {
    unsigned char data[CAPACITY];
    unsigned char head;
    unsigned char count;
};

void ring_init(struct ring *r) {
    r->head = 0;
    r->count = 0;
}

int ring_put(struct ring *r, unsigned char byte) {
    if (r->count == CAPACITY)
        return 0;
    unsigned char at = r->head + r->count;
    if (at >= CAPACITY)
        at -= CAPACITY;
    r->data[at] = byte;
    r->count++;
    return 1;
}

int ring_get(struct ring *r) {
    if (r->count == 0)
        return -1;
    int byte = r->data[r->head];
    r->head++;
    if (r->head == CAPACITY)
        r->head = 0;
    r->count--;
    return byte;
}
