// expect: safe  truth: argued  ledger: va_arg
extern void reach_error(void);
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
static unsigned take(int n, ...) { va_list ap; va_start(ap, n); unsigned v = va_arg(ap, unsigned); va_end(ap); return v; }
/* -1 is no number of the type that is taken. */
int main(void) { take(0, -1); reach_error(); return 0; }
