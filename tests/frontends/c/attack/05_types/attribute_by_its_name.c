// expect: unsafe-or-unknown  truth: argued
// An argument of an attribute is no attribute.
extern void reach_error(void);
enum { packed = 1 };
int x __attribute__((aligned(packed), unused));
struct s { char c; int i; };
int main(void) { if (x == 0) reach_error(); return 0; }
