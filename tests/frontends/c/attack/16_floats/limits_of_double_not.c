// expect: unsafe
#include <float.h>
extern void reach_error(void);
int main(void) {
    double one = 1;
    if (!(DBL_MAX > 1.7e308 && DBL_MIN > 0 && one + DBL_EPSILON > 1)) reach_error();
    if (!(one + DBL_EPSILON / 2 == 1)) reach_error();
    if (DBL_MIN / 2 > 0 && (float) 0.1L != 0.1 && -(double) 1e-4932L == 0) reach_error();
    return 0;
}
