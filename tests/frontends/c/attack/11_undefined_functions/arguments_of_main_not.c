// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int main(int count, char **given) {
    if (count > 1 && given[1][0] == 'x') reach_error();
    return 0;
}
