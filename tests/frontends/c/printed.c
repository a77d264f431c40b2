/* What programs call that run for a comparison: choices come from a seed, and what happened is said at the end. */
extern int printf(const char *, ...);
extern int fflush(void *);
extern char *getenv(const char *);
extern unsigned long strtoul(const char *, char **, int);
extern void _exit(int) __attribute__((noreturn));
extern unsigned int alarm(unsigned int);

static unsigned long long state, trace = 14695981039346656037ull;
static unsigned long count;

static void leave(const char *how, int status) {
  printf("%s %d after %lu choices %llx\n", how, status, count, trace);
  fflush(0);
  _exit(status);
}
__attribute__((constructor)) static void start(void) {
  const char *seed = getenv("SEED");
  state = seed ? strtoul(seed, 0, 10) * 2 + 1 : 1;
  alarm(2);
}
__attribute__((destructor)) static void end(void) { printf("ended after %lu choices %llx\n", count, trace); }

static unsigned long long choose(unsigned long long kind) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  unsigned long long bits = state >> 33 ^ state << 17;
  unsigned long long value = state >> 60 < 11 ? bits % 7 - (state >> 59 & 1) : bits;
  if (++count > 2000) leave("too long", 3);
  trace = (trace ^ kind) * 1099511628211ull;
  return value;
}
#define CHOICE(name, type) \
  __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)choose(sizeof(type)); }
CHOICE(bool, _Bool) CHOICE(char, char) CHOICE(uchar, unsigned char) CHOICE(short, short)
CHOICE(ushort, unsigned short) CHOICE(int, int) CHOICE(uint, unsigned) CHOICE(unsigned, unsigned)
CHOICE(unsigned_int, unsigned) CHOICE(long, long) CHOICE(ulong, unsigned long) CHOICE(longlong, long long)
CHOICE(ulonglong, unsigned long long) CHOICE(size_t, unsigned long) CHOICE(loff_t, long long) CHOICE(u8, unsigned char)
CHOICE(u16, unsigned short) CHOICE(u32, unsigned) CHOICE(u64, unsigned long long) CHOICE(float, float)
CHOICE(double, double)
__attribute__((weak)) void *__VERIFIER_nondet_pointer(void) { choose(8); return 0; }

__attribute__((weak)) void reach_error(void) { leave("error", 107); }
__attribute__((weak)) void __VERIFIER_error(void) { leave("error", 107); }
__attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) leave("assumed", 4); }
__attribute__((weak)) void assume_abort_if_not(int condition) { if (!condition) leave("assumed", 4); }
__attribute__((weak)) void __VERIFIER_assert(int condition) { if (!condition) leave("error", 107); }
__attribute__((weak)) void assert(int condition) { if (!condition) leave("error", 107); }
void __assert_fail(const char *what, const char *file, unsigned line, const char *function) { leave("error", 107); }
void abort(void) { leave("aborted", 106); }
