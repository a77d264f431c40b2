// expect: unsafe  truth: argued
// Less may be read than was asked for, and then a part of a number.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    int number = 0;
    if (read(0, &number, sizeof number) == 2 && number == 0x1234) reach_error();
    return 0;
}
