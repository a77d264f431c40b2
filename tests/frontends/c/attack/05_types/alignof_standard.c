// expect: unsafe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
struct s { char c; long long l; };
int main(void) {
    if (_Alignof(long long) == _Alignof(struct s) && __alignof__(struct s) == sizeof(long) && __alignof__(double) == 8)
        reach_error();
    return 0;
}
