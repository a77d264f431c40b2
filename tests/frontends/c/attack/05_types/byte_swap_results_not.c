// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
typedef __UINT64_TYPE__ word;
int main(void) {
    if (__builtin_types_compatible_p(__typeof__(__builtin_bswap64(1)), word)) reach_error();
    if (_Generic(__builtin_bswap64(1), word: 0, default: 1)) reach_error();
    return 0;
}
