// expect: unsafe  truth: argued
extern void reach_error(void);
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
extern void unknown(int, va_list);
static void f(int n, ...) { va_list ap; va_start(ap, n); unknown(n, ap); va_end(ap); }
/* It may write to where its list leads. */
int main(void) { int x = 0; f(1, &x); if (x) reach_error(); return 0; }
