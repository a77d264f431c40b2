// expect: unsafe  truth: argued  property: G valid-deref
#include <string.h>
int main(void) {
    char a[2] = "a";
    return memcmp(a, "bcd", 3) > 0;
}
