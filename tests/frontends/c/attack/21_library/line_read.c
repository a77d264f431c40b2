// expect: safe  truth: argued
// A line has less characters than there is room, its end is a zero, a new line is its last character, and what lies behind is left alone.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    char line[8] = {0};
    char *read = fgets(line, 4, stdin);
    if (read && read != line) reach_error();
    if (read && (line[3] || line[6])) reach_error();
    if (read && line[0] == '\n' && line[1]) reach_error();
    return 0;
}
