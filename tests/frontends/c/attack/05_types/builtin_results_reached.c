// expect: unsafe
extern void reach_error(void);
int main(void) {
    if (sizeof(__builtin_alloca(1)) == 8) reach_error();
    return 0;
}
