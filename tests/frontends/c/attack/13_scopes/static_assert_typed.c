// expect: unreadable-or-unknown  truth: argued
extern void reach_error(void);
typedef int t;
int main(void) { struct { char c; _Static_assert(sizeof(t) != 4, "no"); } s; return s.c; }
