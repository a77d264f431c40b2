// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
int main(void) {
    if (_Generic(__func__, char *: 0, const char *: 1)) reach_error();
    return 0;
}
