// expect: unsafe  truth: argued  property: G valid-deref
#include <stdio.h>
int main(void) {
    char open[2] = { 'a', 'b' }, *none = 0;
    fprintf(stderr, "%s", (char *)none);
    return none != 0;
}
