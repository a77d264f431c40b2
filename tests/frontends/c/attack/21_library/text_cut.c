// expect: safe  truth: argued
#include <stdarg.h>
#include <stdio.h>
extern void reach_error(void);
static char other[4] = "abc";
static int put(char *to, size_t room, const char *form, ...) {
    va_list given;
    va_start(given, form);
    int count = vsnprintf(to, room, form, given);
    va_end(given);
    return count;
}
int main(int count, char **given) {
    char b[4];
    if (put(b, sizeof b, "%d", count) >= 3 && b[3] != 0) reach_error();
    if (snprintf(b, 2, given[0], count) >= 1 && b[1] != 0) reach_error();
    if (other[0] != 'a') reach_error();
    return 0;
}
