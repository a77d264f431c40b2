// expect: unknown  models: LP64 ILP32  truth: argued
extern void reach_error(void);
struct { unsigned long long d : 40; } x;
/* The common type with long long is long long for gcc, unsigned long long for clang. */
int main(void) { if (x.d - 5LL < 0) reach_error(); return 0; }
