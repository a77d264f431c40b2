#ifndef ARGOSY_STDINT_H
#define ARGOSY_STDINT_H
typedef signed char int8_t, int_least8_t, int_fast8_t;
typedef unsigned char uint8_t, uint_least8_t, uint_fast8_t;
typedef short int16_t, int_least16_t;
typedef unsigned short uint16_t, uint_least16_t;
typedef int int32_t, int_least32_t;
typedef unsigned int uint32_t, uint_least32_t;
typedef __INT64_TYPE__ int64_t, int_least64_t, int_fast64_t, intmax_t;
typedef unsigned __INT64_TYPE__ uint64_t, uint_least64_t, uint_fast64_t, uintmax_t;
typedef __PTRDIFF_TYPE__ intptr_t, int_fast16_t, int_fast32_t;
typedef __SIZE_TYPE__ uintptr_t, uint_fast16_t, uint_fast32_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295U
#ifdef __LP64__
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-INT64_MAX - 1L)
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX 18446744073709551615UL
#else
#define INT64_MAX 9223372036854775807LL
#define INT64_MIN (-INT64_MAX - 1LL)
#define UINT64_MAX 18446744073709551615ULL
#define SIZE_MAX 4294967295U
#endif
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
#endif
