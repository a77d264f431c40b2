// expect: unknown  truth: argued
// C leaves open what a number becomes that its type does not hold.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int a = 0;
    if (sscanf("99999999999", "%d", &a) == 1 && a != 5) reach_error();
    return 0;
}
