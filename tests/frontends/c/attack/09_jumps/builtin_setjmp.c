// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
void *buffer[5];
static void __attribute__((noinline)) leave(void) { __builtin_longjmp(buffer, 1); }
int main(void) { if (__builtin_setjmp(buffer)) reach_error(); else leave(); return 0; }
