// expect: safe  truth: argued  ledger: va_arg
extern void reach_error(void);
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
static long take(int n, ...) { va_list ap; va_start(ap, n); long v = va_arg(ap, long long); va_end(ap); return v; }
/* An int is no long long. */
int main(void) { take(0, 1); reach_error(); return 0; }
