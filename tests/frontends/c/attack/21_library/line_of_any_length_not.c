// expect: unsafe  truth: argued
#define _GNU_SOURCE
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char *line = 0;
    size_t room = 0;
    int lines = 0;
    while (getline(&line, &room, stdin) != -1) lines++;
    if (lines == 2) reach_error();
    return 0;
}
