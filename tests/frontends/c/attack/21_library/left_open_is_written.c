// expect: safe  truth: argued  options: property=initialised
#include <ctype.h>
#include <string.h>
int main(void) {
    char a[3] = "ab";
    if ((isalpha)(a[0]) && strcmp(a, "b") < 0 && memcmp(a, "ac", 2) < 0) return 1;
    return 0;
}
