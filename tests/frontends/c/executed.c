/* What programs call that are compared step by step with their models: see executing.py, which puts the inputs before
   this text and the program behind it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void put(char c) { putchar(c); }
static void finish(const char *how) {
  fputs(how, stdout);
  for (unsigned i = 0; i < shown_count; i++) { put(' '); number(shown_values[i]); }
  put('\n');
  fflush(stdout);
  _exit(0);
}
static void ended(void) { finish("ended"); }
static void caught(int signal) { finish(signal == SIGABRT ? "ended" : signal == SIGALRM ? "late" : "crashed"); }
__attribute__((constructor)) static void start(void) {
  input_state = strtoul(getenv("SEQUENCE"), 0, 10);
  atexit(ended);
  int signals[] = { SIGABRT, SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], caught);
  alarm(2);
}
void recorded(unsigned value) {
  shown(value);
  if (shown_count >= 2000) finish("late");
}
void entered_error(void) { finish("error"); }

#define CHOICE(name, type) type __VERIFIER_nondet_##name(void) { return input(); }
CHOICE(unsigned, unsigned) CHOICE(unsigned_int, unsigned) CHOICE(size_t, unsigned long) CHOICE(loff_t, long long)
CHOICE(u8, unsigned char) CHOICE(u16, unsigned short) CHOICE(u32, unsigned) CHOICE(u64, unsigned long long)
void *__VERIFIER_nondet_pointer(void) { return 0; }

__attribute__((weak)) void reach_error(void) { finish("error"); }
__attribute__((weak)) void __VERIFIER_error(void) { finish("error"); }
__attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) finish("ended"); }
void __assert_fail(const char *what, const char *file, unsigned line, const char *function) { finish("error"); }
