// expect: unsafe-or-unknown  truth: argued
// Undefined by 7.22.1, 1, but every library goes on with some number.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int n = atoi("99999999999");
    reach_error();
    return n;
}
