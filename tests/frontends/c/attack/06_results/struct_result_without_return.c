// expect: unsafe-or-unknown  truth: argued  ledger: return
extern void reach_error(void);
struct s { int a; };
static struct s nothing(void) {}
int main(void) { struct s a = nothing(), b = nothing(); if (a.a != b.a) reach_error(); return 0; }
