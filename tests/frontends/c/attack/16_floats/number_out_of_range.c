// expect: unsafe  truth: argued  property: G ! undefined-arithmetic
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float f = __VERIFIER_nondet_float();
    if (!(f >= 0 && f <= 256)) return 0;
    return (unsigned char) f;
}
