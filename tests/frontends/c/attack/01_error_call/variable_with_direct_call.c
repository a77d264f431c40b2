// expect: unsafe-or-unknown
// The direct call is dead: only the call through the pointer reaches the error.
extern void reach_error(void);
int never = 0;
int main(void) {
    void (*f)(void) = reach_error;
    if (never) reach_error();
    f();
    return 0;
}
