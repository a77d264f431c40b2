// expect: unsafe
extern void reach_error(void);
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
static int f(int n, ...) {
  va_list ap;
  int a, b;
  va_start(ap, n); a = va_arg(ap, int); va_end(ap);
  va_start(ap, n); b = va_arg(ap, int) + va_arg(ap, int); va_end(ap);
  return 10 * a + b;
}
static int g(int n, ...) { va_list ap; int a; va_start(ap, n); a = va_arg(ap, int); return f(0, a, 1) + va_arg(ap, int); }
int main(void) { if (g(0, 5, 2) == 58) reach_error(); return 0; }
