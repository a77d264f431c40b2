// expect: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
extern void reach_error(void);
struct pair { int first; char second; };
int main(void) {
    int *p = reallocarray(0, 2, sizeof *p), n = 3;
    p[1] = 4;
    p = reallocarray(p, 4, sizeof *p);
    p[3] = 1;
    struct pair *v = reallocarray(0, n, sizeof *v);
    v[2].second = 5;
    if (p[1] + p[3] + v[2].second != 9) reach_error();
    return 0;
}
