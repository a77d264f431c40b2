// expect: unsafe-or-unknown  truth: argued  property: G valid-deref
#include <stdio.h>
int main(void) {
    printf("%d %s", 3);
    return 0;
}
