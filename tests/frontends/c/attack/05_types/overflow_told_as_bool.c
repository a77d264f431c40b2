// expect: safe  models: LP64 ILP32
extern void reach_error(void);
/* Builtins that tell overflows give a _Bool. */
int main(void) {
    int r;
    unsigned long s;
    if (_Generic(__builtin_add_overflow(1, 2, &r), _Bool: 0, default: 1)) reach_error();
    if (sizeof __builtin_mul_overflow(1, 2, &r) != 1 || sizeof __builtin_uaddl_overflow(1, 2, &s) != 1) reach_error();
    if (__builtin_add_overflow(2147483647, 1, &r) != 1 || r != -2147483647 - 1) reach_error();
    if (__builtin_sub_overflow(1, 2, &r) || r != -1 || __builtin_usubl_overflow(1, 2, &s) + 1 != 2 || s != -1ul) reach_error();
    __typeof__(__builtin_ssub_overflow(1, 2, &r)) b = 4;
    if (b != 1) reach_error();
    return 0;
}
