// expect: unsafe-or-unknown
#include <stdarg.h>
#include <stdio.h>
extern void reach_error(void);
static int n;
static void put(const char *f, ...) { char b[16]; va_list l; va_start(l, f); vsnprintf(b, sizeof b, f, l); va_end(l); }
int main(void) { n = 5; put("ab%n", &n); if (n == 2) reach_error(); return 0; }
