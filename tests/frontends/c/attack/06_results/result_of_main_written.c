// expect: safe  truth: argued  property: G ! uninitialised-use
int main(void) {
    char text[8];
    text[2] = 'a';
    return text[2] + 1;
}
