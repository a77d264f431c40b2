// expect: unsafe-or-unknown  models: ILP32  truth: argued
// gcc extends the sign of a pointer that becomes a wider integer.
extern void reach_error(void);
int x;
int main(void) { unsigned long long n = (unsigned long long)&x; if (n >> 32) reach_error(); return 0; }
