// item: `ctype.h` as glibc's macros expand: the table of `__ctype_b_loc`  truth: hosted
#include <assert.h>

enum { SPACE = 1 << 13, DIGIT = 1 << 11, LETTER = 1 << 10, ALNUM = 1 << 3 }; /* of a little-endian machine */
extern const unsigned short **__ctype_b_loc(void) __attribute__((const));

static int hexadecimal(const char *text)
{
    int value = 0;
    while (*__ctype_b_loc() && ((*__ctype_b_loc())[(int)*text] & (unsigned short)SPACE))
        text++;
    for (; (*__ctype_b_loc())[(int)(unsigned char)*text] & (unsigned short)ALNUM; text++) {
        int digit = (*__ctype_b_loc())[(int)*text] & (unsigned short)DIGIT ? *text - '0' : (*text | 32) - 'a' + 10;
        value = value * 16 + digit;
    }
    return value;
}

int main(void)
{
    assert(hexadecimal(" \t2F;9") == 47);
    assert(((*__ctype_b_loc())['G'] & LETTER) != 0 && ((*__ctype_b_loc())[-1] & ALNUM) == 0);
#ifdef UNSAFE
    assert(hexadecimal("1 0") == 16);
#else
    assert(hexadecimal("1 0") == 1);
#endif
    return 0;
}
