/* Expected verdict: UNSAFE
 * Property: unreach-call
 *
 * As bytes.c, but the receiver leaves out the last byte.
 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void *memcpy(void *to, const void *from, unsigned long size);

int main(void) {
    unsigned sent = __VERIFIER_nondet_uint(), received = 0;
    unsigned char line[sizeof(unsigned)];
    memcpy(line, &sent, sizeof sent);
    for (unsigned i = 0; i < sizeof received - 1; i++)
        ((unsigned char *)&received)[i] = line[i];
    if (received != sent)
        reach_error();
    return 0;
}
