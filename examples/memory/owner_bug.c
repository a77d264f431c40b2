/* Expected verdict: UNSAFE
 * Property: valid-memcleanup
 *
 * As owner.c, but the way out where the second block is missing forgets the first one.
 */
extern void *malloc(unsigned long size);
extern void free(void *block);

struct device {
    char *buffer;
};

int main(void) {
    struct device *device = malloc(sizeof(struct device));
    if (!device)
        return 1;
    device->buffer = malloc(64);
    if (!device->buffer) {
        /* nothing to give back? */
        return 1;
    }
    device->buffer[63] = 0;
    free(device->buffer);
    free(device);
    return 0;
}
