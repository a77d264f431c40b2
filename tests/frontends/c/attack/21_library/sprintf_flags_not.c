// expect: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char b[32];
    if (sprintf(b, "%1.s", "ab") == 1 && b[0] == ' ') reach_error();
    return 0;
}
