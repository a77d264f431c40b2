// expect: safe-or-unknown
extern void reach_error(void);
int main(void) {
    if (!__builtin_constant_p(3) || !__builtin_constant_p(sizeof(int) * 2)) reach_error();
    char t[__builtin_constant_p(7) ? 4 : 2];
    if (sizeof t != 4) reach_error();
    return 0;
}
