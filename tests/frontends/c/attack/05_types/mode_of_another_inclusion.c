// expect: safe
// A header that is included twice, with other macros: two names stand at one place.
extern void reach_error(void);
# 1 "number.h"
typedef unsigned na __attribute__((mode(QI)));
# 1 "number.h"
typedef unsigned nb;
# 8 "mode_of_another_inclusion.c"
int main(void) {
    nb x = 300;
    if (x != 300 || sizeof(na) != 1) reach_error();
    return 0;
}
