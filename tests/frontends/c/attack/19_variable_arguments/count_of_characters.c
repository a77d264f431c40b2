// expect: unsafe  truth: argued
extern void reach_error(void);
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
extern int vprintf(const char *, va_list);
static void say(const char *form, ...) { va_list ap; va_start(ap, form); vprintf(form, ap); va_end(ap); }
/* %n writes to where its argument leads. */
int main(void) { int x = 0; say("a%n", &x); if (x) reach_error(); return 0; }
