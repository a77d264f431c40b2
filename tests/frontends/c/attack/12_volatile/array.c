// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
volatile unsigned char port[2];
int main(void) { port[1] = 3; if (port[1] == 4) reach_error(); return 0; }
