// expect: unreadable  truth: argued
int x { return 0; }
int main(void) { return 0; }
