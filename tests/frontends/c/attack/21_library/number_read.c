// expect: safe  truth: argued
// What is not read stays as it was.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    int number = 5;
    if (read(0, &number, sizeof number) == 0 && number != 5) reach_error();
    return 0;
}
