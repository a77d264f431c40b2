// expect: safe-or-unknown  truth: argued
#define _GNU_SOURCE
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char *line = 0;
    size_t room = 0;
    ssize_t count = getline(&line, &room, stdin);
    if (count < -1 || (count > 0 && !line)) reach_error();
    return 0;
}
