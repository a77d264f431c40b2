// expect: unsafe
#define _GNU_SOURCE
#include <string.h>
extern void reach_error(void);
int main(void) {
    char to[4];
    if (stpncpy(to, "abcdef", 4) == to + 4 && to[3] == 'd') reach_error();
    return 0;
}
