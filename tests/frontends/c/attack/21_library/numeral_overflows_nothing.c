// expect: safe  truth: argued  property: G ! overflow
#include <stdlib.h>
int main(void) {
    int n = atoi("99999999999");
    long m = atol("-99999999999999999999");
    return n == m;
}
