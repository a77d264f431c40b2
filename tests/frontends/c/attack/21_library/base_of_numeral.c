// expect: safe-or-unknown
// The GNU C library gives 0 for a base that is none; the standard says nothing of it.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    if (strtol("12", 0, 40) != 0) reach_error();
    return 0;
}
