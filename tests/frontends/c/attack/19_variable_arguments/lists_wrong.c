// expect: unsafe
extern void reach_error(void);
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
static int first(va_list ap) { return va_arg(ap, int); }
static void next(va_list *ap, int *to) { *to = va_arg(*ap, int); }
static int both(int n, ...) {
  static int calls;
  va_list ap, again;
  int a, b;
  calls++;
  va_start(ap, n);
  va_copy(again, ap);
  next(&ap, &a);
  next(&ap, &b);
  a += 10 * b + 100 * first(again) + 1000 * calls;
  va_end(again);
  va_end(ap);
  return a;
}
int main(void) { if (both(0, 1, 2) == 1121 && both(0, 3, 4, 5.0) == 2343) reach_error(); return 0; }
