// expect: safe-or-unknown
#include <stdarg.h>
extern void reach_error(void);
struct holds { va_list list; int behind; };
static void given(va_list list) { if (sizeof list != 8) reach_error(); }
static void start(int n, ...) { va_list list; va_start(list, n); given(list); if (sizeof list != 24) reach_error(); va_end(list); }
int main(void) {
    va_list two[2];
    if (sizeof(va_list) != 24 || sizeof two != 48 || sizeof(struct holds) != 32) reach_error();
    start(1, 2);
    return 0;
}
