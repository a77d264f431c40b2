// expect: safe  models: LP64 ILP32
extern void reach_error(void);
int main(void) {
    /* Compilers know these without a declaration: they give no int. */
    if (sizeof(__builtin_alloca(1)) != sizeof(void *)) reach_error();
    if (sizeof(__builtin_strlen("")) != sizeof(sizeof(int))) reach_error();
    if (sizeof(__builtin_bswap64(1)) != 8 || sizeof(__builtin_bswap16(1)) != 2) reach_error();
    if (_Generic(__builtin_alloca(1), void *: 0, default: 1)) reach_error();
    return 0;
}
