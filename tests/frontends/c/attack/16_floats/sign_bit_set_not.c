// expect: unsafe-or-unknown  truth: argued
// Any number but 0 (7.12.3.6): of a float it is 1 with clang and INT_MIN with gcc, of the C library's function 8.
#include <math.h>
extern void reach_error(void);
int main(void) {
    float f = -2.5f;
    if (signbit(f) != 1) reach_error();
    return 0;
}
