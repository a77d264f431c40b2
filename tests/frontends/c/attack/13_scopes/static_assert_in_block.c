// expect: unreadable-or-unknown  truth: argued
extern void reach_error(void);
int main(void) { _Static_assert(sizeof(int) == 3, "no program"); return 0; }
