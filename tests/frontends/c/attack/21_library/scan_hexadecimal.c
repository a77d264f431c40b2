// expect: unknown  truth: argued
// Whether 0x without a digit behind it is a number is said differently by libraries; what is beyond a type is nobody's.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    unsigned a = 0;
    if (sscanf("0xg", "%x", &a) == 1 && a == 5) reach_error();
    if (sscanf("123456789", "%x", &a) == 1 && a == 5) reach_error();
    return 0;
}
