// item: conversions between floating point and integers of every width
#include <assert.h>

int main(void)
{
    double large = 4294967297.75;
    unsigned char narrow = (unsigned char)255.9;
    short negative = (short)-32768.5f;
    unsigned int half = (unsigned int)2147483648.0;
    long long wide = (long long)large;
    unsigned long long widest = (unsigned long long)1.8446744073709550e19;
    int odd = 16777217;
    float rounded = (float)odd;
    double kept = odd;
    _Bool any = 0.25f;
    int percent = 0;
    percent += 99.99;

    assert(narrow == 255 && negative == -32768 && half == 0x80000000u);
    assert(wide == 4294967297LL && widest == 18446744073709549568ull);
    assert(rounded == 16777216.0f && kept == 16777217.0 && any == 1);
#ifdef UNSAFE
    assert(percent == 100);
#else
    assert(percent == 99);
#endif
    return 0;
}
