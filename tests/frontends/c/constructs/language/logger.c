// item: `va_arg`: a logger that reads its format
#include <assert.h>
#include <stdarg.h>

static char line[32];
static int used;

static void put(char c)
{
    if (used < (int)sizeof line - 1)
        line[used++] = c;
    line[used] = 0;
}

static void number(long value)
{
    if (value < 0) {
        put('-');
        value = -value;
    }
    if (value >= 10)
        put((char)('0' + value / 10 % 10));
    put((char)('0' + value % 10));
}

static void vlog(const char *format, va_list list)
{
    for (; *format; format++) {
        if (*format != '%') {
            put(*format);
            continue;
        }
        switch (*++format) {
        case 'd': number(va_arg(list, int)); break;
        case 'l': number(va_arg(list, long)); break;
        case 'c': put((char)va_arg(list, int)); break;
        case 'f': number((long)va_arg(list, double)); break;
        case 's': for (const char *s = va_arg(list, const char *); *s; s++) put(*s); break;
        }
    }
}

static void logged(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vlog(format, list);
    va_end(list);
}

int main(void)
{
    char sign = '!';
    logged("%s=%d%c", "x", -42, sign);
    assert(used == 6 && line[2] == '-' && line[4] == '2' && line[5] == '!');
    logged(" %l %f", 7L, 3.9f);
    assert(line[7] == '7');
#ifdef UNSAFE
    assert(line[9] == '4');
#else
    assert(line[9] == '3' && used == 10 && line[10] == 0);
#endif
    return 0;
}
