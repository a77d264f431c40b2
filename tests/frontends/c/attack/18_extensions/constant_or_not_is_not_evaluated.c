// expect: safe
extern void reach_error(void);
int main(void) {
    int zero = 0, kept = __builtin_constant_p(1 / zero), i = 1;
    if (!(__builtin_constant_p(i++) == 0 && i == 1)) reach_error();
    return 0;
}
