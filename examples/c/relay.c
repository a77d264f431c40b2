/* Expected verdict: SAFE
 *
 * Two stations pass on a token, in any order that their modes allow, and each adds one to it. Nobody knows the token:
 * values alone cannot compare it with what it was, and predicates alone have to tell all modes apart. Try
 * --strategy product, --strategy explicit, --strategy sbe.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum mode { IDLE, READY, DONE };

int main(void) {
    unsigned int token = __VERIFIER_nondet_uint();
    unsigned int first = token;
    enum mode a = READY, b = IDLE;
    while (b != DONE) {
        if (a == READY && __VERIFIER_nondet_int()) {
            token = token + 1;
            a = DONE;
            b = READY;
        }
        if (b == READY && __VERIFIER_nondet_int()) {
            token = token + 1;
            b = DONE;
        }
    }
    if (token - first != 2)
        reach_error();
    return 0;
}
