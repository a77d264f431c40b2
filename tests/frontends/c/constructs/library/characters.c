// item: `ctype.h`: classification and conversion in a scanner
#include <assert.h>
#include <ctype.h>

static int hexadecimal(const char *s)
{
    int value = 0;
    for (; isxdigit((unsigned char)*s); s++)
        value = value * 16 + (isdigit((unsigned char)*s) ? *s - '0' : toupper((unsigned char)*s) - 'A' + 10);
    return value;
}

static int kind(int c)
{
    return isspace(c) ? 's' : isalpha(c) || c == '_' ? 'w' : isdigit(c) ? 'd' : ispunct(c) ? 'p' : 'o';
}

int main(void)
{
    const char *text = " 2f;";
    while (isspace((unsigned char)*text))
        text++;
    assert(hexadecimal(text) == 0x2f && kind('_') == 'w' && kind('\t') == 's' && kind('7') == 'd');
    assert(kind(text[2]) == 'p' && tolower('Q') == 'q' && toupper('[') == '[' && !isprint(127) && isgraph('~'));
#ifdef UNSAFE
    assert(kind('\x01') == 'p');
#else
    assert(kind('\x01') == 'o' && iscntrl('\x01'));
#endif
    return 0;
}
