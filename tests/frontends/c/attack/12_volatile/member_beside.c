// expect: safe-or-unknown  truth: argued
// Only the member is volatile.
extern void reach_error(void);
struct s { volatile int flag; int data; } d;
int main(void) { d.data = 1; if (d.data != 1) reach_error(); return 0; }
