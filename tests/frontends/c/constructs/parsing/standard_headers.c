// item: the headers of the C library
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <tgmath.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    max_align_t most;
    ptrdiff_t distance = -1;
    bool small = INTMAX_MAX > INT32_MAX and distance < 0;
    assert(small && UINT8_MAX == 255 && SIZE_MAX == (size_t)-1 && sizeof(wchar_t) == 4 && sizeof most >= 8);
#ifdef UNSAFE
    assert(LONG_MAX > INT_MAX && sizeof(long) == 4);
#else
    assert(FLT_MANT_DIG == 24 && DBL_MAX_EXP == 1024 && CHAR_BIT == 8);
#endif
    return 0;
}
