// expect: safe
// strlen comes from another text, so that the structures of this one may be those of a header that both include.
#include <string.h>
extern void reach_error(void);
# 1 "pair.h"
typedef struct { int a; } pair_of_int;
# 1 "pair.h"
typedef struct { long a; } pair_of_long;
# 8 "structure_of_another_inclusion.c"
int main(void) {
    pair_of_int x = { 1 };
    pair_of_long y = { 1L << 40 };
    if (x.a != 1 || y.a >> 40 != 1 || strlen("ab") != 2) reach_error();
    return 0;
}
