/* stdlib.h (C11 7.22): conversions of numerals, searching, the end of the program. What errno is, nobody knows, nor
   what atoi and its relatives give of a number beyond their types. A decimal number of some 16 digits and a small power
   of ten is one operation on two numbers that are exact, and so rounded once (Clinger, PLDI 1990). */

typedef __typeof__(sizeof 0) size_t;

typedef __typeof__(__builtin_choose_expr(sizeof 0l == 8, 0l, 0ll)) __argosy_intmax;

typedef __typeof__(__builtin_choose_expr(sizeof 0l == 8, 0ul, 0ull)) __argosy_uintmax;

int atoi(const char *s) {
    unsigned int n = 0;
    int negative, over = 0, digit;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    for (; *s >= '0' && *s <= '9'; s++) {
        digit = *s - '0';
        if (over || n > ((~0u >> 1) + negative - digit) / 10)
            over = 1;
        else
            n = 10 * n + digit;
    }
    if (over)
        return __argosy_opaque_atoi();
    return negative ? (int) -n : (int) n;
}

long atol(const char *s) {
    unsigned long n = 0;
    int negative, over = 0, digit;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    for (; *s >= '0' && *s <= '9'; s++) {
        digit = *s - '0';
        if (over || n > ((~0ul >> 1) + negative - digit) / 10)
            over = 1;
        else
            n = 10 * n + digit;
    }
    if (over)
        return __argosy_opaque_atol();
    return negative ? (long) -n : (long) n;
}

long strtol(const char *s, char **end, int base) {
    const char *start = s;
    const unsigned long most = ~0ul >> 1;
    unsigned long n = 0, limit;
    int negative, any = 0, over = 0, digit;
    if (base < 0 || base == 1 || base > 36)
        __argosy_beyond("a numeral with a base that is none");
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    limit = negative ? most + 1 : most;
    for (;; s++) {
        if (*s >= '0' && *s <= '9')
            digit = *s - '0';
        else if (*s >= 'a' && *s <= 'z')
            digit = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z')
            digit = *s - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        any = 1;
        if (over || n > (limit - digit) / base)
            over = 1;
        else
            n = n * base + digit;
    }
    if (end)
        *end = (char *) (any ? s : start);
    if (over)
        n = limit;
    return negative ? (long) -n : (long) n;
}

long long strtoll(const char *s, char **end, int base) {
    const char *start = s;
    const unsigned long long most = ~0ull >> 1;
    unsigned long long n = 0, limit;
    int negative, any = 0, over = 0, digit;
    if (base < 0 || base == 1 || base > 36)
        __argosy_beyond("a numeral with a base that is none");
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    limit = negative ? most + 1 : most;
    for (;; s++) {
        if (*s >= '0' && *s <= '9')
            digit = *s - '0';
        else if (*s >= 'a' && *s <= 'z')
            digit = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z')
            digit = *s - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        any = 1;
        if (over || n > (limit - digit) / base)
            over = 1;
        else
            n = n * base + digit;
    }
    if (end)
        *end = (char *) (any ? s : start);
    if (over)
        n = limit;
    return negative ? (long long) -n : (long long) n;
}

unsigned long strtoul(const char *s, char **end, int base) {
    const char *start = s;
    const unsigned long most = ~0ul;
    unsigned long n = 0;
    int negative, any = 0, over = 0, digit;
    if (base < 0 || base == 1 || base > 36)
        __argosy_beyond("a numeral with a base that is none");
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    for (;; s++) {
        if (*s >= '0' && *s <= '9')
            digit = *s - '0';
        else if (*s >= 'a' && *s <= 'z')
            digit = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z')
            digit = *s - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        any = 1;
        if (over || n > (most - digit) / base)
            over = 1;
        else
            n = n * base + digit;
    }
    if (end)
        *end = (char *) (any ? s : start);
    if (over)
        return most;
    return negative ? -n : n;
}

unsigned long long strtoull(const char *s, char **end, int base) {
    const char *start = s;
    const unsigned long long most = ~0ull;
    unsigned long long n = 0;
    int negative, any = 0, over = 0, digit;
    if (base < 0 || base == 1 || base > 36)
        __argosy_beyond("a numeral with a base that is none");
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    for (;; s++) {
        if (*s >= '0' && *s <= '9')
            digit = *s - '0';
        else if (*s >= 'a' && *s <= 'z')
            digit = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z')
            digit = *s - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        any = 1;
        if (over || n > (most - digit) / base)
            over = 1;
        else
            n = n * base + digit;
    }
    if (end)
        *end = (char *) (any ? s : start);
    if (over)
        return most;
    return negative ? -n : n;
}

long __isoc23_strtol(const char *s, char **end, int base) {
    const char *start = s;
    const unsigned long most = ~0ul >> 1;
    unsigned long n = 0, limit;
    int negative, any = 0, over = 0, digit;
    if (base < 0 || base == 1 || base > 36)
        __argosy_beyond("a numeral with a base that is none");
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) {
        s += 2;
        base = 16;
    }
    if ((base == 0 || base == 2) && s[0] == '0' && (s[1] == 'b' || s[1] == 'B') && (s[2] == '0' || s[2] == '1')) {
        s += 2;
        base = 2;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    limit = negative ? most + 1 : most;
    for (;; s++) {
        if (*s >= '0' && *s <= '9')
            digit = *s - '0';
        else if (*s >= 'a' && *s <= 'z')
            digit = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z')
            digit = *s - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        any = 1;
        if (over || n > (limit - digit) / base)
            over = 1;
        else
            n = n * base + digit;
    }
    if (end)
        *end = (char *) (any ? s : start);
    if (over)
        n = limit;
    return negative ? (long) -n : (long) n;
}

long long __isoc23_strtoll(const char *s, char **end, int base) {
    const char *start = s;
    const unsigned long long most = ~0ull >> 1;
    unsigned long long n = 0, limit;
    int negative, any = 0, over = 0, digit;
    if (base < 0 || base == 1 || base > 36)
        __argosy_beyond("a numeral with a base that is none");
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) {
        s += 2;
        base = 16;
    }
    if ((base == 0 || base == 2) && s[0] == '0' && (s[1] == 'b' || s[1] == 'B') && (s[2] == '0' || s[2] == '1')) {
        s += 2;
        base = 2;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    limit = negative ? most + 1 : most;
    for (;; s++) {
        if (*s >= '0' && *s <= '9')
            digit = *s - '0';
        else if (*s >= 'a' && *s <= 'z')
            digit = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z')
            digit = *s - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        any = 1;
        if (over || n > (limit - digit) / base)
            over = 1;
        else
            n = n * base + digit;
    }
    if (end)
        *end = (char *) (any ? s : start);
    if (over)
        n = limit;
    return negative ? (long long) -n : (long long) n;
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base) {
    const char *start = s;
    const unsigned long most = ~0ul;
    unsigned long n = 0;
    int negative, any = 0, over = 0, digit;
    if (base < 0 || base == 1 || base > 36)
        __argosy_beyond("a numeral with a base that is none");
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) {
        s += 2;
        base = 16;
    }
    if ((base == 0 || base == 2) && s[0] == '0' && (s[1] == 'b' || s[1] == 'B') && (s[2] == '0' || s[2] == '1')) {
        s += 2;
        base = 2;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    for (;; s++) {
        if (*s >= '0' && *s <= '9')
            digit = *s - '0';
        else if (*s >= 'a' && *s <= 'z')
            digit = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z')
            digit = *s - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        any = 1;
        if (over || n > (most - digit) / base)
            over = 1;
        else
            n = n * base + digit;
    }
    if (end)
        *end = (char *) (any ? s : start);
    if (over)
        return most;
    return negative ? -n : n;
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base) {
    const char *start = s;
    const unsigned long long most = ~0ull;
    unsigned long long n = 0;
    int negative, any = 0, over = 0, digit;
    if (base < 0 || base == 1 || base > 36)
        __argosy_beyond("a numeral with a base that is none");
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) {
        s += 2;
        base = 16;
    }
    if ((base == 0 || base == 2) && s[0] == '0' && (s[1] == 'b' || s[1] == 'B') && (s[2] == '0' || s[2] == '1')) {
        s += 2;
        base = 2;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    for (;; s++) {
        if (*s >= '0' && *s <= '9')
            digit = *s - '0';
        else if (*s >= 'a' && *s <= 'z')
            digit = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z')
            digit = *s - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        any = 1;
        if (over || n > (most - digit) / base)
            over = 1;
        else
            n = n * base + digit;
    }
    if (end)
        *end = (char *) (any ? s : start);
    if (over)
        return most;
    return negative ? -n : n;
}

__argosy_intmax strtoimax(const char *s, char **end, int base) {
    return strtoll(s, end, base);
}

__argosy_uintmax strtoumax(const char *s, char **end, int base) {
    return strtoull(s, end, base);
}

long long atoll(const char *s) {
    unsigned long long n = 0;
    int negative, over = 0, digit;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    for (; *s >= '0' && *s <= '9'; s++) {
        digit = *s - '0';
        if (over || n > ((~0ull >> 1) + negative - digit) / 10)
            over = 1;
        else
            n = 10 * n + digit;
    }
    if (over)
        return __argosy_opaque_atoll();
    return negative ? (long long) -n : (long long) n;
}

void *aligned_alloc(size_t alignment, size_t size) {
    if (!alignment || alignment & (alignment - 1))
        __argosy_beyond("an alignment that is no power of two");
    return __builtin_malloc(size);
}

void *memalign(size_t alignment, size_t size) {
    return aligned_alloc(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size) {
    if (!alignment || alignment & (alignment - 1) || alignment % sizeof(void *))
        return 22;
    *made = __builtin_malloc(size);
    return 0;
}

static const double __argosy_tens[23] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22
};

static const char *__argosy_numeral(const char *s, unsigned long long *digits, int *exponent, int *negative) {
    unsigned long long n = 0;
    int any = 0, cut = 0, point = 0, by = 0, own = 0, below;
    const char *behind;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    *negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((*s | 32) == 'i' && (s[1] | 32) == 'n' && (s[2] | 32) == 'f')
        __argosy_beyond("a numeral that is infinite");
    if ((*s | 32) == 'n' && (s[1] | 32) == 'a' && (s[2] | 32) == 'n')
        __argosy_beyond("a numeral that is no number");
    if (*s == '0' && (s[1] | 32) == 'x')
        __argosy_beyond("a hexadecimal numeral of a floating-point number");
    for (; (*s >= '0' && *s <= '9') || (*s == '.' && !point); s++) {
        if (*s == '.') {
            point = 1;
            continue;
        }
        any = 1;
        if (n < 900719925474099) {
            n = 10 * n + (*s - '0');
            by -= point;
        } else {
            cut |= *s != '0';
            by += !point;
        }
    }
    if (!any)
        return 0;
    if ((*s | 32) == 'e') {
        behind = s + 1;
        below = *behind == '-';
        if (*behind == '-' || *behind == '+')
            behind++;
        if (*behind >= '0' && *behind <= '9') {
            for (; *behind >= '0' && *behind <= '9'; behind++)
                if (own < 100000)
                    own = 10 * own + (*behind - '0');
            by += below ? -own : own;
            s = behind;
        }
    }
    *digits = n;
    *exponent = cut ? 1000000 : by;
    return s;
}

double strtod(const char *s, char **end) {
    unsigned long long digits = 0;
    int exponent = 0, negative = 0;
    const char *behind = __argosy_numeral(s, &digits, &exponent, &negative);
    double size = 0;
    if (end)
        *end = (char *) (behind ? behind : s);
    if (!behind)
        return 0;
    if (digits) {
        size = digits;
        if (exponent >= 0 && exponent <= 22)
            size *= __argosy_tens[exponent];
        else if (exponent < 0 && exponent >= -22)
            size /= __argosy_tens[-exponent];
        else
            return __argosy_number((unsigned long long) __argosy_opaque_strtod() << 32
                                   | (unsigned) __argosy_opaque_strtod());
    }
    return negative ? -size : size;
}

float strtof(const char *s, char **end) {
    unsigned long long digits = 0;
    int exponent = 0, negative = 0;
    const char *behind = __argosy_numeral(s, &digits, &exponent, &negative);
    float size = 0;
    if (end)
        *end = (char *) (behind ? behind : s);
    if (!behind)
        return 0;
    if (digits) {
        size = digits;
        if (digits > 16777216 && exponent != 0)
            return __argosy_numberf((unsigned) __argosy_opaque_strtof());
        if (exponent >= 0 && exponent <= 10)
            size *= (float) __argosy_tens[exponent];
        else if (exponent < 0 && exponent >= -10)
            size /= (float) __argosy_tens[-exponent];
        else
            return __argosy_numberf((unsigned) __argosy_opaque_strtof());
    }
    return negative ? -size : size;
}

double atof(const char *s) {
    return strtod(s, 0);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    const char *low = base;
    while (count) {
        const char *middle = low + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *) middle;
        if (order > 0) {
            low = middle + size;
            count--;
        }
        count /= 2;
    }
    return 0;
}

__argosy_intmax imaxabs(__argosy_intmax n) {
    return n < 0 ? -n : n;
}

static void *__argosy_handlers[32] = {0};

static void *__argosy_given[32] = {0};

static char __argosy_takes[32] = {0};

static int __argosy_registered = 0;

int atexit(void (*handler)(void)) {
    if (__argosy_registered == 32)
        __argosy_beyond("more than 32 handlers of atexit");
    __argosy_handlers[__argosy_registered++] = handler;
    return 0;
}

int on_exit(void (*handler)(int, void *), void *given) {
    if (__argosy_registered == 32)
        __argosy_beyond("more than 32 handlers of on_exit");
    __argosy_takes[__argosy_registered] = 1;
    __argosy_given[__argosy_registered] = given;
    __argosy_handlers[__argosy_registered++] = handler;
    return 0;
}

void __argosy_leave(void) {
    while (__argosy_registered > 0) {
        void *handler = __argosy_handlers[--__argosy_registered];
        if (__argosy_takes[__argosy_registered]) {
            void (*given_status)(int, void *) = handler;
            __argosy_takes[__argosy_registered] = 0;
            given_status(__argosy_opaque_on_exit(), __argosy_given[__argosy_registered]);
        } else {
            void (*plain)(void) = handler;
            plain();
        }
    }
}

static int __argosy_error = 0;

int *__errno_location(void) {
    __argosy_error = __argosy_opaque_errno();
    return &__argosy_error;
}
