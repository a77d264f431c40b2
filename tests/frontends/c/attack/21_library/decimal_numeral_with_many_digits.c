// expect: unsafe-or-unknown  truth: argued
// More digits than two exact numbers have: whatever the value is, the execution goes on.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    double x = atof("0.30000000000000004441");
    reach_error();
    return x == 0;
}
