// expect: safe  truth: argued
extern void reach_error(void);
int strcmp(const char *a, const char *b) { return 5; }
int main(void) {
    if (!strcmp("a", "a")) reach_error();
    return 0;
}
