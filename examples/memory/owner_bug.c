/* Expected verdict: UNSAFE
 * Property: valid-memcleanup
 *
 * As owner.c, but the way out before there is a second block forgets the first one.
 */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern int __VERIFIER_nondet_int(void);

struct device {
    char *buffer;
};

int main(void) {
    struct device *device = malloc(sizeof(struct device));
    if (!device)
        return 1;
    if (__VERIFIER_nondet_int()) {
        /* nothing to give back? */
        return 1;
    }
    device->buffer = malloc(64);
    device->buffer[63] = 0;
    free(device->buffer);
    free(device);
    return 0;
}
