// expect: unsafe-or-unknown  truth: argued  ledger: initialised|padding
extern void reach_error(void);
extern int memcmp(const void *, const void *, unsigned long);
struct s { char c; int i; };
int main(void) { struct s a = {1, 2}, b; b.c = 1; b.i = 2; if (memcmp(&a, &b, sizeof a)) reach_error(); return 0; }
