// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
int main(void) { switch ((unsigned)(unsigned long)&x & 3) { case 0: return 0; default: reach_error(); } return 0; }
