// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
int main(void) { if ((unsigned long)&x >= 0x10000) reach_error(); return 0; }
