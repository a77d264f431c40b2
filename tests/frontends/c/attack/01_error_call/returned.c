// expect: unsafe-or-unknown
extern void reach_error(void);
static void (*choose(void))(void) { return reach_error; }
int main(void) { choose()(); return 0; }
