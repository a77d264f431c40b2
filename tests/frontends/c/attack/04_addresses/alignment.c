// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int main(void) { char c; if ((unsigned long)&c % 8 != 0) reach_error(); return 0; }
