// expect: unreadable-or-unknown  truth: argued
extern void reach_error(void);
struct s { int a; _Static_assert(sizeof(long) == 1, "no program"); };
int main(void) { return 0; }
