/* Expected verdict: SAFE
 * Property: valid-memcleanup
 *
 * Two blocks, one of which owns the other: on every way out of the program both are given back.
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
        free(device);
        return 1;
    }
    device->buffer = malloc(64);
    device->buffer[63] = 0;
    free(device->buffer);
    free(device);
    return 0;
}
