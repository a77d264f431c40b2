// expect: unknown  truth: argued
// The GNU C library gives the block back and no other; compilers may take it that there is one.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    unsigned long size = 0;
    int *p = malloc(4);
    if (realloc(p, size)) reach_error();
    return 0;
}
