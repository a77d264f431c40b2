// expect: safe  truth: argued  property: G valid-deref
#include <string.h>
int main(void) {
    char a[2] = "a";
    return memcmp(a, "bcd", 2) > 0 || strncmp(a, "bcd", 9) > 0 || memcmp(a, a + 2, 0);
}
