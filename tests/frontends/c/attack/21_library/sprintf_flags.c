// expect: safe
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    char b[32];
    if (sprintf(b, "%-3d|%+d", 7, 5) != 6 || strcmp(b, "7  |+5")) reach_error();
    if (sprintf(b, "%.3d|%1.0d|%o", 7, 0, 8) != 8 || strcmp(b, "007| |10")) reach_error();
    if (sprintf(b, "%4s|%-4.2s|", "ab", "cdef") != 10 || strcmp(b, "  ab|cd  |")) reach_error();
    return 0;
}
