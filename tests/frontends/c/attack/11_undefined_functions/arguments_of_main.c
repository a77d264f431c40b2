// expect: safe-or-unknown  truth: argued  property: G valid-deref
// There are as many arguments as main is told (5.1.2.2.1).
int main(int count, char **given) {
    if (count > 0 && given[0]) return given[0][0];
    return 0;
}
