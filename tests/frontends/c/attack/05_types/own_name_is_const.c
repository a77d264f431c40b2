// expect: safe  models: LP64
extern void reach_error(void);
/* __func__ is an array of const characters (6.4.2.2), as long as the name in the text. */
#define IS_CONST(x) _Generic((x), char *: 0, const char *: 1)
static int *allocated(void) { int *p = __builtin_malloc(sizeof(int)); *p = sizeof __func__; return p; }
int main(void) {
    if (!IS_CONST(__func__) || !IS_CONST(&__func__[1]) || !IS_CONST(__FUNCTION__ + 1) || IS_CONST("main")) reach_error();
    if (_Generic(&__func__, const char(*)[5]: 1, default: 0) != 1) reach_error();
    int *p = allocated();
    if (*p != 10) reach_error();
    return 0;
}
