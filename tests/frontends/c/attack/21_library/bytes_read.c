// expect: safe  truth: argued
// As many bytes are written as the result says, which is no more than were asked for.
#include <stdio.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char text[8] = {0};
    long got = read(0, text, 4);
    if (got > 4 || got < -1 || text[5]) reach_error();
    if (fwrite(text, 1, 3, stdout) > 3 || write(1, text, 2) > 2) reach_error();
    return 0;
}
