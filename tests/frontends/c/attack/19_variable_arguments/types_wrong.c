// expect: unsafe
extern void reach_error(void);
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
struct pair { int x, y; };
static int mix(const char *f, ...) {
  va_list ap;
  double d = 0;
  va_start(ap, f);
  for (; *f; f++) {
    if (*f == 'i') d += va_arg(ap, int);
    if (*f == 'd') d += va_arg(ap, double);
    if (*f == 'p') d += va_arg(ap, struct pair).y;
    if (*f == 's') d += va_arg(ap, char *)[1] - '0';
  }
  va_end(ap);
  return 2 * d;
}
int main(void) { struct pair p = {1, 2}; char c = 3; if (mix("idps", c, 0.5f, p, "47") == 25) reach_error(); return 0; }
