// expect: safe
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>
#include <strings.h>
extern void reach_error(void);
int main(void) {
    char to[8] = "xxxxxxx";
    const char *text = "abCdef";
    if (stpncpy(to, "ab", 5) != to + 2 || to[4] || to[5] != 'x') reach_error();
    if (memmem(text, 6, "Cd", 2) != text + 2 || memmem(text, 3, "Cd", 2)) reach_error();
    if (strcasestr(text, "cD") != text + 2 || strcasestr(text, "x")) reach_error();
    if (index(text, 'b') != text + 1 || rindex(text, 'f') != text + 5) reach_error();
    if (!isascii(65) || isascii(128) || toascii(0xc1) != 0x41) reach_error();
    return 0;
}
