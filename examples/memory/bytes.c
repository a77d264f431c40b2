/* Expected verdict: SAFE
 * Property: unreach-call
 *
 * A number is sent byte by byte and put together again on the other side; both look at the same memory, at other
 * widths.
 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void *memcpy(void *to, const void *from, unsigned long size);

int main(void) {
    unsigned sent = __VERIFIER_nondet_uint(), received = 0;
    unsigned char line[sizeof(unsigned)];
    memcpy(line, &sent, sizeof sent);
    for (unsigned i = 0; i < sizeof received; i++)
        ((unsigned char *)&received)[i] = line[i];
    if (received != sent)
        reach_error();
    return 0;
}
