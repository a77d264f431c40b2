// expect: unsafe-or-unknown  models: ILP32  truth: argued
extern void reach_error(void);
int x;
int main(void) { unsigned long long n = (unsigned long)&x; if (n > 0x20000000ull) reach_error(); return 0; }
