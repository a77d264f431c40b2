// expect: unreadable-or-unknown  truth: argued
extern void reach_error(void);
_Static_assert(0, "no program");
int main(void) { return 0; }
