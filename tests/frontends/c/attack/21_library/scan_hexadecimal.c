// expect: unknown  truth: argued
// Only the number of targets is known of such a format.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int a = 0;
    if (sscanf("1f", "%x", &a) == 1 && a != 31) reach_error();
    return 0;
}
