/* math.h (C11 7.12): what has one result and is not one operation. Numbers that are none are dealt with before the bits
   of a number are looked at, so that these are known. Those of float are computed as double, which is exact or rounds
   once. fma is that of musl (MIT): a product of 106 bits, what is shifted out of it is one sticky bit. */

static double __argosy_scaled(double x, int n) {
    if (x == 0 || x - x != 0)
        return x;
    if (n > 1023) {
        x *= 0x1p1023;
        n -= 1023;
        if (n > 1023) {
            x *= 0x1p1023;
            n -= 1023;
            if (n > 1023)
                n = 1023;
        }
    } else if (n < -1022) {
        x *= 0x1p-969;
        n += 969;
        if (n < -1022) {
            x *= 0x1p-969;
            n += 969;
            if (n < -1022)
                n = -1022;
        }
    }
    return x * __argosy_number((unsigned long long) (n + 1023) << 52);
}

static int __argosy_exponent(double x) {
    unsigned long long bits = __argosy_bits(x);
    int exponent = bits >> 52 & 0x7ff;
    if (exponent == 0)
        return -1011 - __builtin_clzll(bits & 0xfffffffffffff);
    return exponent - 1023;
}

double ldexp(double x, int n) {
    return __argosy_scaled(x, n);
}

float ldexpf(float x, int n) {
    return (float) __argosy_scaled(x, n);
}

double scalbn(double x, int n) {
    return __argosy_scaled(x, n);
}

float scalbnf(float x, int n) {
    return (float) __argosy_scaled(x, n);
}

double scalbln(double x, long n) {
    return __argosy_scaled(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int) n);
}

float scalblnf(float x, long n) {
    return (float) __argosy_scaled(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int) n);
}

static double __argosy_fraction(double x, int *exponent) {
    int n;
    if (x == 0 || x - x != 0) {
        *exponent = 0;
        return x;
    }
    n = __argosy_exponent(x) + 1;
    *exponent = n;
    return __argosy_scaled(x, -n);
}

double frexp(double x, int *exponent) {
    return __argosy_fraction(x, exponent);
}

float frexpf(float x, int *exponent) {
    return (float) __argosy_fraction(x, exponent);
}

static int __argosy_logarithm(double x) {
    if (x == 0 || x != x)
        return -2147483647 - 1;
    return x - x != 0 ? 2147483647 : __argosy_exponent(x);
}

int ilogb(double x) {
    return __argosy_logarithm(x);
}

int ilogbf(float x) {
    return __argosy_logarithm(x);
}

static double __argosy_logarithm_of(double x) {
    if (x == 0)
        return -__builtin_inf();
    return x - x != 0 ? x * x : __argosy_exponent(x);
}

double logb(double x) {
    return __argosy_logarithm_of(x);
}

float logbf(float x) {
    return (float) __argosy_logarithm_of(x);
}

double nextafter(double x, double y) {
    unsigned long long bits;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return y > 0 ? 0x1p-1074 : -0x1p-1074;
    bits = __argosy_bits(x);
    return __argosy_number((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

float nextafterf(float x, float y) {
    unsigned bits;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return y > 0 ? 0x1p-149f : -0x1p-149f;
    bits = __argosy_bitsf(x);
    return __argosy_numberf((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

static double __argosy_rest(double x, double y) {
    double size = __builtin_fabs(y), rest = __builtin_fabs(x);
    if (y == 0 || y != y || x - x != 0)
        return (x * y) / (x * y);
    if (size <= 0x1.fffffffffffffp1022)
        rest = __builtin_fmod(rest, size + size);
    if (size < 0x1p-1021) {
        if (rest + rest > size) {
            rest -= size;
            if (rest + rest >= size)
                rest -= size;
        }
    } else if (rest > 0.5 * size) {
        rest -= size;
        if (rest >= 0.5 * size)
            rest -= size;
    }
    if (rest == 0)
        return 0 * x;
    return x < 0 ? -rest : rest;
}

double remainder(double x, double y) {
    return __argosy_rest(x, y);
}

float remainderf(float x, float y) {
    return (float) __argosy_rest(x, y);
}

double drem(double x, double y) {
    return __argosy_rest(x, y);
}

float dremf(float x, float y) {
    return (float) __argosy_rest(x, y);
}

static int __argosy_unpacked(double x, unsigned long long *digits) {
    unsigned long long bits = __argosy_bits(x);
    int exponent = bits >> 52 & 0x7ff;
    if (exponent == 0) {
        bits = __argosy_bits(x * 0x1p63);
        exponent = (bits >> 52 & 0x7ff) - 63;
    }
    *digits = ((bits & 0xfffffffffffff) | 1ull << 52) << 1;
    return exponent - 1076;
}

double fma(double x, double y, double z) {
    unsigned long long a, b, c, high, low, zhigh, zlow, before, middle;
    int e, d, ez, negative, rest = 1;
    long long i;
    double r;
    if (x == 0 || y == 0 || x - x != 0 || y - y != 0)
        return x * y + z;
    if (z == 0)
        return x * y;
    if (z - z != 0)
        return z;
    e = __argosy_unpacked(x, &a) + __argosy_unpacked(y, &b);
    ez = __argosy_unpacked(z, &c);
    d = ez - e;
    low = (a & 0xffffffff) * (b & 0xffffffff);
    middle = (a >> 32) * (b & 0xffffffff) + (a & 0xffffffff) * (b >> 32);
    high = (a >> 32) * (b >> 32) + (middle >> 32);
    before = low;
    low += middle << 32;
    high += low < before;
    zhigh = 0;
    if (d > 0 && d < 64) {
        zlow = c << d;
        zhigh = c >> (64 - d);
    } else if (d > 0) {
        zlow = 0;
        zhigh = c;
        e = ez - 64;
        d -= 64;
        if (d > 0 && d < 64) {
            low = high << (64 - d) | low >> d | (low << (64 - d) != 0);
            high >>= d;
        } else if (d > 0) {
            low = 1;
            high = 0;
        }
    } else {
        d = -d;
        zlow = d == 0 ? c : d < 64 ? c >> d | (c << (64 - d) != 0) : 1;
    }
    negative = (x < 0) != (y < 0);
    if (negative == (z < 0)) {
        low += zlow;
        high += zhigh + (low < zlow);
    } else {
        before = low;
        low -= zlow;
        high = high - zhigh - (before < low);
        if (high >> 63) {
            low = -low;
            high = -high - (low != 0);
            negative = !negative;
        }
        rest = high != 0;
    }
    if (rest) {
        e += 64;
        d = __builtin_clzll(high) - 1;
        high = high << d | low >> (64 - d) | (low << d != 0);
    } else if (low) {
        d = __builtin_clzll(low) - 1;
        high = d < 0 ? low >> 1 | (low & 1) : low << d;
    } else
        return x * y + z;
    e -= d;
    if (e < -1085)
        high = (high >> 10 | (high << 54 != 0)) << 10;
    i = high;
    r = negative ? -i : i;
    if (e == -1085 && high << 53) {
        i = high >> 1 | (high & 1) | 1ll << 62;
        r = negative ? -i : i;
        r = 2 * r - (negative ? -0x1p63 : 0x1p63);
    }
    return __argosy_scaled(r, e);
}

float fmaf(float x, float y, float z) {
    double product = (double) x * y, sum, error, back;
    unsigned long long bits;
    sum = product + z;
    if (sum - sum != 0 || sum == 0)
        return (float) sum;
    back = sum - product;
    error = (product - (sum - back)) + (z - back);
    bits = __argosy_bits(sum);
    if (error != 0 && (bits & 1) == 0)
        sum = __argosy_number((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
    return (float) sum;
}

int fegetround(void) {
    return 0;
}

void sincos(double x, double *sine, double *cosine) {
    *sine = __builtin_sin(x);
    *cosine = __builtin_cos(x);
}

void sincosf(float x, float *sine, float *cosine) {
    *sine = __builtin_sinf(x);
    *cosine = __builtin_cosf(x);
}
