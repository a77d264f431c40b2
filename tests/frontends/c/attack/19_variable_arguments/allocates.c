// expect: safe
extern void reach_error(void);
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
extern void *malloc(__SIZE_TYPE__);
static int *make(int n, ...) {
  va_list ap;
  int *made = malloc(2 * sizeof(int));
  va_start(ap, n);
  made[0] = va_arg(ap, int);
  made[1] = va_arg(ap, int);
  va_end(ap);
  return made;
}
int main(void) { int *a = make(0, 1, 2), *b = make(0, 3, 4); if (a[0] != 1 || b[1] != 4) reach_error(); return 0; }
