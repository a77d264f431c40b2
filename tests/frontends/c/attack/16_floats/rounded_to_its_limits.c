// expect: safe  models: LP64 ILP32  truth: argued
extern long long llrint(double), llround(double);
extern long lroundf(float);
extern void reach_error(void);
int main(void) {
    if (llrint(-9223372036854775808.0) != -9223372036854775807ll - 1 || llround(-2.5) != -3) reach_error();
    if (lroundf(2147483520.0f) != 2147483520 || llrint(2.5) != 2) reach_error();
    return 0;
}
