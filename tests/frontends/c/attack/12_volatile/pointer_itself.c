// expect: safe-or-unknown  truth: argued
// The pointer is volatile, not what it points to; it is never read.
extern void reach_error(void);
int x = 1;
int *volatile p = &x;
int main(void) { if (x != 1) reach_error(); return 0; }
