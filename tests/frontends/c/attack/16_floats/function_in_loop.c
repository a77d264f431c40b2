// expect: unsafe-or-unknown  truth: argued
// The sine of 1 is positive, that of 4 is not.
#include <math.h>
extern void reach_error(void);
int main(void) {
    int a = 0, b = 0;
    double x = 1.0;
    for (int i = 0; i < 2; i++) {
        int positive = sin(x) > 0.0;
        if (i == 0) a = positive;
        else b = positive;
        x = 4.0;
    }
    if (a != b) reach_error();
    return 0;
}
