/* The oracle's runtime: runs each program over all its nondeterministic choices.
 *
 * Choices form a tree: a run records at each choice which branch it took and how many there are; the next run takes
 * the next branch of the last choice that has one. An execution ends by returning, by abort or exit, by an assume that
 * fails, by leaving the language (the sanitizer calls one of the handlers below), by reaching the error, or by taking
 * too many steps, which disqualifies the program.
 *
 * No library is used, so that the same file serves for a 32-bit target without a 32-bit C library.
 */

#define CHOICES 64
#define STEPS 1000
#define WATCHED 5
#define KEPT_VALUES 300

enum { RETURNED = 1, LEFT, UNDEFINED, OVERFLOW, ERROR_REACHED, TOO_LONG };

static void *resume[5];
static int branch[CHOICES], branches[CHOICES], depth, chosen, steps;

#define KEPT __attribute__((section("kept")))
extern char __start_kept[], __stop_kept[];
KEPT int kept_is_not_empty = 1;

static int ended_as;
__attribute__((noreturn)) static void end(int how) {
  ended_as = how;
  __builtin_longjmp(resume, 1);
}

/* ---- output ------------------------------------------------------------------------------------------------ */

#ifdef __i386__
static long write_out(const char *text, unsigned long size) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(4), "b"(1), "c"(text), "d"(size) : "memory");
  return result;
}
#else
static long write_out(const char *text, unsigned long size) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(1), "D"(1), "S"(text), "d"(size) : "rcx", "r11", "memory");
  return result;
}
#endif

static char out[4096];
static unsigned long used;
static void flush(void) {
  unsigned long done = 0;
  while (done < used) {
    long n = write_out(out + done, used - done);
    if (n <= 0) break;
    done += n;
  }
  used = 0;
}
static void put(char c) {
  if (used == sizeof out) flush();
  out[used++] = c;
}
static void text(const char *s) {
  while (*s) put(*s++);
}
/* Hexadecimal, so that no 64-bit division is needed. */
static void number(long long value) {
  put(' ');
  for (int shift = 60; shift >= 0; shift -= 4) put("0123456789abcdef"[(unsigned long long)value >> shift & 15]);
}

/* ---- what programs call ------------------------------------------------------------------------------------ */

static long long pick(const long long *values, int count) {
  if (depth == CHOICES) end(TOO_LONG);
  if (depth == chosen) {
    branch[chosen] = 0;
    branches[chosen++] = count;
  }
  return values[branch[depth++]];
}
#define PICK(...) pick((const long long[]){__VA_ARGS__}, sizeof((const long long[]){__VA_ARGS__}) / sizeof(long long))

#define TICK do { if (++steps > STEPS) end(TOO_LONG); } while (0)

/* A constant and a variable that the compiler cannot fold: it would remove overflows before the sanitizer sees them. */
#define K(c) (*(__typeof__(c) volatile *)&(__typeof__(c)){c})
#define V(x) (*(__typeof__(x) volatile *)&(x))
/* A result that the compiler cannot narrow: it would compute (char)(a * b) with the bits that are left. */
#define W(e) ({ __auto_type w_ = (e); w_; })

static void __VERIFIER_assume(int condition) {
  if (!condition) end(LEFT);
}
static void assume_abort_if_not(int condition) {
  if (!condition) end(LEFT);
}
__attribute__((noreturn)) static void reach_error(void) { end(ERROR_REACHED); }
static void __VERIFIER_assert(int condition) {
  if (!condition) reach_error();
}
#define abort() end(LEFT)
#define exit(code) ((void)(int)(code), end(LEFT))
#define __VERIFIER_error() reach_error()
#define assert(condition) __VERIFIER_assert(condition)
#define __assert_fail(a, b, c, d) reach_error()

static int program, watched[16], truncated;
static long long seen[16][KEPT_VALUES][WATCHED];
static void watch(int point, int count, const long long *values) {
  for (int i = 0; i < watched[point]; i++) {
    int same = 1;
    for (int j = 0; j < count; j++) same = same && seen[point][i][j] == values[j];
    if (same) return;
  }
  if (watched[point] == KEPT_VALUES) return;
  for (int j = 0; j < count; j++) seen[point][watched[point]][j] = values[j];
  watched[point]++;
  text("watch");
  number(program);
  number(point);
  for (int j = 0; j < count; j++) number(values[j]);
  put('\n');
}
#define WATCH(point, count, ...) watch(point, count, (const long long[]){__VA_ARGS__})

/* ---- leaving the language ---------------------------------------------------------------------------------- */

/* What the sanitizer says about an operation: a type is (signed | log2 of the width << 1). An operand that does not fit
 * into a machine word is given by its address. */
struct type { unsigned short kind, info; };
struct operation { const char *file; unsigned line, column; const struct type *left, *right; };

static long long operand(const struct type *type, unsigned long value) {
  int width = 1 << (type->info >> 1);
  if (width > 8 * (int)sizeof value) return *(long long *)value;
  unsigned long long bits = value;
  if (width < 64) bits &= (1ULL << width) - 1;
  if (type->info & 1 && width < 64 && bits >> (width - 1)) bits |= ~0ULL << width;
  return (long long)bits;
}

#define HANDLER(name, how) \
  __attribute__((noreturn)) void __ubsan_handle_##name##_abort(struct operation *operation, unsigned long a, unsigned long b) { end(how); }
HANDLER(add_overflow, OVERFLOW)
HANDLER(sub_overflow, OVERFLOW)
HANDLER(mul_overflow, OVERFLOW)
HANDLER(negate_overflow, OVERFLOW)
/* A division's operands have one type: the least number by -1, or anything by zero. */
HANDLER(divrem_overflow, operand(operation->left, b) == 0 ? UNDEFINED : OVERFLOW)
HANDLER(shift_out_of_bounds,
        operand(operation->right, b) < 0 || operand(operation->right, b) >= 1 << (operation->left->info >> 1) ? UNDEFINED : OVERFLOW)

/* ---- running ----------------------------------------------------------------------------------------------- */

static char initial[1 << 20];

static void run(int index, int (*entry)(void)) {
  long size = __stop_kept - __start_kept, runs = 0;
  int ends[TOO_LONG + 1] = {0};
  program = index;
  chosen = 0;
  for (int i = 0; i < 16; i++) watched[i] = 0;
  for (;;) {
    depth = steps = 0;
    for (long i = 0; i < size; i++) __start_kept[i] = initial[i];
    if (!__builtin_setjmp(resume)) {
      entry();
      end(RETURNED);
    }
    runs++;
    ends[ended_as]++;
    if (ends[TOO_LONG] || runs > RUNS) break;
    chosen = depth;
    while (chosen && branch[chosen - 1] + 1 == branches[chosen - 1]) chosen--;
    if (!chosen) break;
    branch[chosen - 1]++;
  }
  text("ended");
  number(index);
  number(runs);
  for (int how = RETURNED; how <= TOO_LONG; how++) number(ends[how]);
  put('\n');
}

static void start(void) {
  for (long i = 0; i < __stop_kept - __start_kept; i++) initial[i] = __start_kept[i];
}

/* The kernel does not align the stack as a caller would. */
#define ENTRY __attribute__((force_align_arg_pointer)) void _start(void)

#ifdef __i386__
/* What libgcc would provide: 64-bit division on a 32-bit machine. */
unsigned long long __udivmoddi4(unsigned long long a, unsigned long long b, unsigned long long *rest) {
  unsigned long long quotient = 0, remainder = 0;
  for (int i = 63; i >= 0; i--) {
    int carry = remainder >> 63;
    remainder = remainder << 1 | (a >> i & 1);
    if (carry || remainder >= b) {
      remainder -= b;
      quotient |= 1ULL << i;
    }
  }
  if (rest) *rest = remainder;
  return quotient;
}
unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { return __udivmoddi4(a, b, 0); }
unsigned long long __umoddi3(unsigned long long a, unsigned long long b) {
  unsigned long long rest;
  __udivmoddi4(a, b, &rest);
  return rest;
}
static unsigned long long size_of(long long a) { return a < 0 ? 0ULL - (unsigned long long)a : (unsigned long long)a; }
long long __divdi3(long long a, long long b) {
  unsigned long long q = __udivdi3(size_of(a), size_of(b));
  return (a < 0) != (b < 0) ? (long long)(0ULL - q) : (long long)q;
}
long long __moddi3(long long a, long long b) {
  unsigned long long r = __umoddi3(size_of(a), size_of(b));
  return a < 0 ? (long long)(0ULL - r) : (long long)r;
}
#endif
