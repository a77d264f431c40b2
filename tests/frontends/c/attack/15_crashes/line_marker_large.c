// expect: safe-or-unknown  truth: argued
# 99999999999999999999 "other.c"
extern void reach_error(void);
int main(void) { return 0; }
