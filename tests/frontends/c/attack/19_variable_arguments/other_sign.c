// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
static int take(int n, ...) { va_list ap; va_start(ap, n); int v = va_arg(ap, unsigned) + va_arg(ap, int); va_end(ap); return v; }
int main(void) { if (take(0, 3, 4u) == 7) reach_error(); return 0; }
