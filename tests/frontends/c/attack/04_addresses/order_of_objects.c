// expect: unsafe-or-unknown  truth: argued
// Which of two objects lies first is open.
extern void reach_error(void);
int x, y;
int main(void) { if ((unsigned long)&x < (unsigned long)&y) reach_error(); return 0; }
