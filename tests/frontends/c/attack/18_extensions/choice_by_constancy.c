// expect: safe
extern void reach_error(void);
#define KIND(x) __builtin_choose_expr(__builtin_constant_p(x), 1, 2)
int calls;
int f(void) { return ++calls; }
int main(void) {
    int i = 3;
    if (!(KIND(5) + 10 * KIND(f()) + 100 * KIND(i++) + 1000 * KIND(i) == 2221 && i == 3 && calls == 0)) reach_error();
    return 0;
}
