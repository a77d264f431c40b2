// expect: unsafe  truth: argued  property: G valid-deref
#include <stdio.h>
int main(void) {
    char line[8];
    fgets(line, 9, stdin);
    return 0;
}
