/* string.h (C11 7.24), as far as it is about characters. What the standard leaves open is an uninitialised variable:
   any value. memcmp compares objects of so many characters (7.24.4.1), which are there even where it stops before.
   Each function stands between empty lines; a program gets those that it uses. */

typedef __typeof__(sizeof 0) size_t;

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t strnlen(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

int __argosy_sign_strcmp(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char) *a < (unsigned char) *b ? -1 : *a != *b;
}

int strcmp(const char *a, const char *b) {
    int less, more, sign = __argosy_sign_strcmp(a, b);
    if (!sign)
        return 0;
    __VERIFIER_assume(less < 0 && more > 0);
    return sign < 0 ? less : more;
}

int __argosy_sign_strncmp(const char *a, const char *b, size_t most) {
    for (; most; most--, a++, b++) {
        if (*a != *b)
            return (unsigned char) *a < (unsigned char) *b ? -1 : 1;
        if (!*a)
            break;
    }
    return 0;
}

int strncmp(const char *a, const char *b, size_t most) {
    int less, more, sign = __argosy_sign_strncmp(a, b, most);
    if (!sign)
        return 0;
    __VERIFIER_assume(less < 0 && more > 0);
    return sign < 0 ? less : more;
}

int __argosy_sign_strcasecmp(const char *a, const char *b) {
    while (*a && tolower((unsigned char) *a) == tolower((unsigned char) *b))
        a++, b++;
    if (tolower((unsigned char) *a) == tolower((unsigned char) *b))
        return 0;
    return tolower((unsigned char) *a) < tolower((unsigned char) *b) ? -1 : 1;
}

int strcasecmp(const char *a, const char *b) {
    int less, more, sign = __argosy_sign_strcasecmp(a, b);
    if (!sign)
        return 0;
    __VERIFIER_assume(less < 0 && more > 0);
    return sign < 0 ? less : more;
}

char *strcpy(char *to, const char *from) {
    size_t n = 0;
    while (from[n]) {
        to[n] = from[n];
        n++;
    }
    to[n] = 0;
    return to;
}

char *strdup(const char *s) {
    size_t n = 0, k;
    char *copy;
    while (s[n])
        n++;
    copy = __builtin_malloc(n + 1);
    for (k = 0; k < n; k++)
        copy[k] = s[k];
    copy[n] = 0;
    return copy;
}

char *strndup(const char *s, size_t most) {
    size_t n = 0, k;
    char *copy;
    while (n < most && s[n])
        n++;
    copy = __builtin_malloc(n + 1);
    for (k = 0; k < n; k++)
        copy[k] = s[k];
    copy[n] = 0;
    return copy;
}

char *stpcpy(char *to, const char *from) {
    while (*from)
        *to++ = *from++;
    *to = 0;
    return to;
}

char *strncpy(char *to, const char *from, size_t most) {
    size_t n = 0;
    for (; n < most && from[n]; n++)
        to[n] = from[n];
    for (; n < most; n++)
        to[n] = 0;
    return to;
}

char *strcat(char *to, const char *from) {
    size_t n = 0, k = 0;
    while (to[n])
        n++;
    while (from[k])
        to[n++] = from[k++];
    to[n] = 0;
    return to;
}

char *strncat(char *to, const char *from, size_t most) {
    size_t n = 0, k = 0;
    while (to[n])
        n++;
    while (k < most && from[k])
        to[n++] = from[k++];
    to[n] = 0;
    return to;
}

char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char) c)
            return (char *) s;
        if (!*s)
            return 0;
    }
}

char *strrchr(const char *s, int c) {
    char *last = 0;
    for (;; s++) {
        if (*s == (char) c)
            last = (char *) s;
        if (!*s)
            return last;
    }
}

size_t strspn(const char *s, const char *among) {
    size_t n = 0, k;
    for (; s[n]; n++) {
        for (k = 0; among[k] && among[k] != s[n]; k++)
            ;
        if (!among[k])
            break;
    }
    return n;
}

size_t strcspn(const char *s, const char *among) {
    size_t n = 0, k;
    for (; s[n]; n++) {
        for (k = 0; among[k] && among[k] != s[n]; k++)
            ;
        if (among[k])
            break;
    }
    return n;
}

char *strpbrk(const char *s, const char *among) {
    size_t k;
    for (; *s; s++)
        for (k = 0; among[k]; k++)
            if (among[k] == *s)
                return (char *) s;
    return 0;
}

char *strstr(const char *s, const char *part) {
    size_t k;
    for (;; s++) {
        for (k = 0; part[k] && part[k] == s[k]; k++)
            ;
        if (!part[k])
            return (char *) s;
        if (!*s)
            return 0;
    }
}

int __argosy_sign_memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    if (n)
        (void) x[n - 1], (void) y[n - 1];
    for (; n; n--, x++, y++)
        if (*x != *y)
            return *x < *y ? -1 : 1;
    return 0;
}

int memcmp(const void *a, const void *b, size_t n) {
    int less, more, sign = __argosy_sign_memcmp(a, b, n);
    if (!sign)
        return 0;
    __VERIFIER_assume(less < 0 && more > 0);
    return sign < 0 ? less : more;
}

void *memchr(const void *s, int c, size_t n) {
    const unsigned char *x = s;
    for (; n; n--, x++)
        if (*x == (unsigned char) c)
            return (void *) x;
    return 0;
}

int __argosy_sign_strcoll(const char *a, const char *b) {
    return __argosy_sign_strcmp(a, b);
}

int strcoll(const char *a, const char *b) {
    int less, more, sign = __argosy_sign_strcoll(a, b);
    if (!sign)
        return 0;
    __VERIFIER_assume(less < 0 && more > 0);
    return sign < 0 ? less : more;
}

size_t strxfrm(char *to, const char *from, size_t most) {
    size_t n = 0;
    for (; from[n]; n++)
        if (n < most)
            to[n] = from[n];
    if (n < most)
        to[n] = 0;
    return n;
}

int __argosy_sign_strncasecmp(const char *a, const char *b, size_t most) {
    for (; most; most--, a++, b++) {
        if (tolower((unsigned char) *a) != tolower((unsigned char) *b))
            return tolower((unsigned char) *a) < tolower((unsigned char) *b) ? -1 : 1;
        if (!*a)
            break;
    }
    return 0;
}

int strncasecmp(const char *a, const char *b, size_t most) {
    int less, more, sign = __argosy_sign_strncasecmp(a, b, most);
    if (!sign)
        return 0;
    __VERIFIER_assume(less < 0 && more > 0);
    return sign < 0 ? less : more;
}

char *strtok_r(char *s, const char *among, char **rest) {
    char *start;
    if (!s)
        s = *rest;
    s += strspn(s, among);
    if (!*s) {
        *rest = s;
        return 0;
    }
    start = s;
    s += strcspn(s, among);
    if (*s)
        *s++ = 0;
    *rest = s;
    return start;
}

static char *__argosy_rest = 0;

char *strtok(char *s, const char *among) {
    return strtok_r(s, among, &__argosy_rest);
}

char *strsep(char **s, const char *among) {
    char *start = *s, *end;
    if (!start)
        return 0;
    end = start + strcspn(start, among);
    if (*end) {
        *end = 0;
        *s = end + 1;
    } else
        *s = 0;
    return start;
}

char *strchrnul(const char *s, int c) {
    while (*s && *s != (char) c)
        s++;
    return (char *) s;
}

void *rawmemchr(const void *s, int c) {
    const unsigned char *x = s;
    while (*x != (unsigned char) c)
        x++;
    return (void *) x;
}

void *memrchr(const void *s, int c, size_t n) {
    const unsigned char *x = s;
    for (; n; n--)
        if (x[n - 1] == (unsigned char) c)
            return (void *) (x + n - 1);
    return 0;
}

void *mempcpy(void *to, const void *from, size_t n) {
    char *p = to;
    const char *q = from;
    while (n-- > 0)
        *p++ = *q++;
    return p;
}

void *memccpy(void *to, const void *from, int c, size_t n) {
    char *p = to;
    const char *q = from;
    while (n-- > 0) {
        *p++ = *q;
        if (*q++ == (char) c)
            return p;
    }
    return 0;
}

void bzero(void *s, size_t n) {
    char *p = s;
    while (n-- > 0)
        *p++ = 0;
}

int bcmp(const void *a, const void *b, size_t n) {
    const char *p = a, *q = b;
    int result;
    if (n)
        (void) p[n - 1], (void) q[n - 1];
    for (; n-- > 0; p++, q++)
        if (*p != *q) {
            result = __VERIFIER_nondet_int();
            __VERIFIER_assume(result != 0);
            return result;
        }
    return 0;
}

char *index(const char *s, int c) {
    return strchr(s, c);
}

char *rindex(const char *s, int c) {
    return strrchr(s, c);
}

char *stpncpy(char *to, const char *from, size_t most) {
    size_t n = 0, end;
    for (; n < most && from[n]; n++)
        to[n] = from[n];
    end = n;
    for (; n < most; n++)
        to[n] = 0;
    return to + end;
}

size_t strlcpy(char *to, const char *from, size_t room) {
    size_t n = 0;
    for (; from[n]; n++)
        if (n + 1 < room)
            to[n] = from[n];
    if (room)
        to[n < room ? n : room - 1] = 0;
    return n;
}

size_t strlcat(char *to, const char *from, size_t room) {
    size_t n = 0, k = 0;
    while (n < room && to[n])
        n++;
    for (; from[k]; k++)
        if (n + k + 1 < room)
            to[n + k] = from[k];
    if (n < room)
        to[n + k < room ? n + k : room - 1] = 0;
    return n + k;
}

char *strcasestr(const char *s, const char *part) {
    size_t k;
    for (;; s++) {
        for (k = 0; part[k] && tolower((unsigned char) part[k]) == tolower((unsigned char) s[k]); k++)
            ;
        if (!part[k])
            return (char *) s;
        if (!*s)
            return 0;
    }
}

void *memmem(const void *s, size_t n, const void *part, size_t size) {
    const char *x = s, *y = part;
    size_t k;
    for (; n >= size; n--, x++) {
        for (k = 0; k < size && x[k] == y[k]; k++)
            ;
        if (k == size)
            return (void *) x;
    }
    return 0;
}

typedef __typeof__(*L"") __argosy_wide;

size_t wcslen(const __argosy_wide *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

int wcscmp(const __argosy_wide *a, const __argosy_wide *b) {
    int less, more;
    while (*a && *a == *b)
        a++, b++;
    if (*a == *b)
        return 0;
    __VERIFIER_assume(less < 0 && more > 0);
    return *a < *b ? less : more;
}

__argosy_wide *wcscpy(__argosy_wide *to, const __argosy_wide *from) {
    size_t n = 0;
    while (from[n]) {
        to[n] = from[n];
        n++;
    }
    to[n] = 0;
    return to;
}

__argosy_wide *wcsncpy(__argosy_wide *to, const __argosy_wide *from, size_t most) {
    size_t n = 0;
    for (; n < most && from[n]; n++)
        to[n] = from[n];
    for (; n < most; n++)
        to[n] = 0;
    return to;
}

__argosy_wide *wcscat(__argosy_wide *to, const __argosy_wide *from) {
    size_t n = 0, k = 0;
    while (to[n])
        n++;
    while (from[k])
        to[n++] = from[k++];
    to[n] = 0;
    return to;
}

__argosy_wide *wcschr(const __argosy_wide *s, __argosy_wide c) {
    for (;; s++) {
        if (*s == c)
            return (__argosy_wide *) s;
        if (!*s)
            return 0;
    }
}

__argosy_wide *wmemset(__argosy_wide *to, __argosy_wide c, size_t n) {
    size_t k;
    for (k = 0; k < n; k++)
        to[k] = c;
    return to;
}

__argosy_wide *wmemcpy(__argosy_wide *to, const __argosy_wide *from, size_t n) {
    size_t k;
    for (k = 0; k < n; k++)
        to[k] = from[k];
    return to;
}
