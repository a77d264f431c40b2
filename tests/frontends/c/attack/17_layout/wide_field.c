// expect: safe-or-unknown  truth: argued
// gcc computes with forty bits, clang with sixty-four.
extern void reach_error(void);
struct s { unsigned long long a : 40; } s = { 0xffffffffffull };
int main(void) { if (s.a + 1 == 0) return 1; return 0; }
