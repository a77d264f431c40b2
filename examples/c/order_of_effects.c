/* Expected verdict: SAFE
 *
 * Short circuit, comma, compound assignment and increments, each with an effect that the next one sees.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

static int calls = 0;

static int count(int result) {
    calls++;
    return result;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 100)
        return 0;
    int before = x++;
    __VERIFIER_assert(before + 1 == x);
    int both = (x += 2, x *= 2);
    __VERIFIER_assert(both == 2 * (before + 3));
    int decided = count(0) && count(1);
    __VERIFIER_assert(!decided && calls == 1);
    decided = count(0) || count(1);
    __VERIFIER_assert(decided && calls == 3);
    return 0;
}
