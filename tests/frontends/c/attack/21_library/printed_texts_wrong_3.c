// expect: unsafe  truth: argued  property: G valid-deref
#include <stdio.h>
int main(void) {
    char open[2] = { 'a', 'b' }, *none = 0;
    puts(open);
    return none != 0;
}
