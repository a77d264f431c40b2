// expect: unsafe  truth: argued  options: property=initialised
#include <string.h>
int main(void) {
    char a[3];
    a[0] = 'a';
    return strcmp(a, "ab") < 0 ? 0 : a[0];
}
