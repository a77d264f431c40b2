/* stdlib.h (C11 7.22): conversions of numerals, searching, the end of the program. What errno is, nobody knows, nor
   what atoi and its relatives give of a number beyond their types. */

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
