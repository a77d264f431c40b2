// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int main(void) { if ((unsigned long)&main % 16 == 1) reach_error(); return 0; }
