/* Expected verdict: UNSAFE
 *
 * Unsigned arithmetic wraps: a counter of 8 bits is back at zero after 256 steps. An analysis on mathematical
 * integers calls this safe; the certificate would refuse that.
 */
extern void reach_error(void);

int main(void) {
    unsigned char steps = 0;
    unsigned char limit = 250;
    limit += 10;
    while (steps < limit)
        steps++;
    if (steps == 4)
        reach_error();
    return 0;
}
