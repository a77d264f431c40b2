#ifndef ARGOSY_MATH_H
#define ARGOSY_MATH_H
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
extern double fabs(double), sqrt(double), floor(double), ceil(double), trunc(double), round(double), rint(double);
extern double fmod(double, double), fmin(double, double), fmax(double, double), copysign(double, double);
extern double sin(double), cos(double), tan(double), exp(double), log(double), pow(double, double);
extern float fabsf(float), sqrtf(float), floorf(float), ceilf(float), truncf(float), roundf(float), rintf(float);
extern float fmodf(float, float), fminf(float, float), fmaxf(float, float), copysignf(float, float);
#endif
