// expect: unsafe-or-unknown  models: LP64 ILP32  truth: argued
// The result is unspecified (7.12.9.7, 2), and the execution goes on.
extern long lrint(double);
extern long long llround(double);
extern void reach_error(void);
int main(void) {
    long n = lrint(1e30);
    long long m = llround(0.0 / 0.0);
    if (n != 1 || m != 1) reach_error();
    reach_error();
    return 0;
}
