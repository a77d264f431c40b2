// expect: safe
#include <string.h>
#include <strings.h>
extern void reach_error(void);
static int other(const char *a, const char *b) { return 0; }
int main(void) {
    unsigned char high[2] = {200, 1}, low[2] = {100, 1};
    char a[4] = "abc";
    if (memcmp(high, low, 2) <= 0 || 0 <= memcmp(low, high, 2) || memcmp(high + 1, low + 1, 1)) reach_error();
    if (!(strcmp(a, "abd") < 0) || strncmp(a, "abd", 2) || !strncmp(a, "abd", 3)) reach_error();
    while (strcasecmp(a, "ABC") || strncasecmp(a, "AX", 1) != 0) reach_error();
    if ((strcmp(a, "abd") ?: 7) == 7) reach_error();
    int (*strcoll)(const char *, const char *) = other;
    if (strcoll(a, "b")) reach_error();
    return strcmp("b", a) > 0 ? 0 : (reach_error(), 1);
}
