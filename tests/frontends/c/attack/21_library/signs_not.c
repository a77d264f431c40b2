// expect: unsafe  truth: argued
#include <string.h>
extern void reach_error(void);
int main(void) {
    int order = strcmp("a", "c");
    if (!strcmp("a", "c") || strcmp("a", "c") > 0) return 0;
    if (order == -2) reach_error();
    return 0;
}
