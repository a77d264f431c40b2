// expect: safe  truth: argued
extern void reach_error(void);
// Of gcc: the type of the last argument is not promoted.
int main(void) { if (!__builtin_add_overflow_p(127, 1, (signed char)0) || __builtin_add_overflow_p(127, 1, (short)0)) reach_error(); return 0; }
