/* Expected verdict: SAFE
 *
 * -x overflows for the smallest int. Such an execution has left the language, so the program is safe as C is defined;
 * the result says that it assumed so. With --signed-overflow wrap the verdict is UNSAFE.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int absolute = x < 0 ? -x : x;
    if (absolute < 0)
        reach_error();
    return 0;
}
