// expect: unsafe-or-unknown  truth: argued
#include <stdarg.h>
#include <stdio.h>
extern void reach_error(void);
static int put(char *to, size_t room, const char *form, ...) {
    va_list given;
    va_start(given, form);
    int count = vsnprintf(to, room, form, given);
    va_end(given);
    return count;
}
int main(void) {
    char b[4] = "xyz";
    int count = put(b, sizeof b, "%d", 12345);
    if (count == 5 && b[0] == '1' && b[2] == '3' && b[3] == 0) reach_error();
    return 0;
}
