// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
volatile int v; int main(void) { int x = ({ int y = v; y + 1; }); if (x == 8 && sizeof(v++) == 4) reach_error(); return 0; }
