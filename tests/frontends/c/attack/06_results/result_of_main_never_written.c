// expect: unsafe  truth: argued  property: G ! uninitialised-use
int main(void) {
    char text[8];
    text[0] = 'a';
    return text[2] + 1;
}
