// expect: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *end;
    if (strtod(" -12.25e1x", &end) != -122.5 || *end != 'x') reach_error();
    return 0;
}
