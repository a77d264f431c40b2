// expect: unsafe-or-unknown  truth: argued  property: G valid-deref
#include <stdio.h>
int main(void) {
    int n = 3;
    printf("%s", n);
    return 0;
}
