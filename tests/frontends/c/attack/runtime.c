/* What the programs call: entering the error ends with 107. Freestanding, there is no C library to link with. */
#ifndef FREESTANDING
extern void _exit(int) __attribute__((noreturn));
#define LEAVE(status) _exit(status)
#else
#define LEAVE(status) for (;;) __asm__ volatile("int $0x80" ::"a"(1), "b"(status))
typedef __SIZE_TYPE__ size;
extern int main(void);
void _start(void) { LEAVE(main()); }
void exit(int status) { LEAVE(status); }
void abort(void) { LEAVE(106); }
void *memset(void *at, int value, size count) {
    unsigned char *to = at;
    while (count--) *to++ = (unsigned char)value;
    return at;
}
void *memcpy(void *at, const void *from, size count) {
    unsigned char *to = at;
    const unsigned char *of = from;
    while (count--) *to++ = *of++;
    return at;
}
void *memmove(void *at, const void *from, size count) {
    unsigned char *to = at;
    const unsigned char *of = from;
    if (to <= of) return memcpy(at, from, count);
    while (count--) to[count] = of[count];
    return at;
}
#endif
__attribute__((weak)) void reach_error(void) { LEAVE(107); }
__attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) LEAVE(0); }
void __assert_fail(const char *what, const char *file, unsigned line, const char *function) { LEAVE(107); }
