// item: `stdlib.h`: `abs`, `div`, `atoi`, `strtol`
#include <assert.h>
#include <stdlib.h>

static int setting(const char *text, int low, int high)
{
    char *end;
    long value = strtol(text, &end, 0);
    if (end == text || *end)
        return -1;
    return value < low ? low : value > high ? high : (int)value;
}

int main(void)
{
    div_t parts = div(-17, 5);
    assert(parts.quot == -3 && parts.rem == -2 && abs(parts.rem) == 2 && labs(-5L) == 5 && llabs(-7LL) == 7);
    assert(atoi(" -42x") == -42 && atol("+9") == 9);
    assert(setting("0x1f", 0, 100) == 31 && setting("017", 0, 100) == 15 && setting("12a", 0, 100) == -1);
#ifdef UNSAFE
    assert(setting("900", 0, 100) == 900);
#else
    assert(setting("900", 0, 100) == 100 && setting("", 0, 100) == -1);
#endif
    return 0;
}
