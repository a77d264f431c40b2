// expect: safe-or-unknown  truth: argued  options: undefined_functions=pure
extern int asprintf(char **, const char *, ...);
extern void reach_error(void);
int main(void) {
    char *p = 0;
    if (asprintf(&p, "%d", 3) > 0 && !p) reach_error();
    return 0;
}
