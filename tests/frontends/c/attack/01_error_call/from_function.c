// expect: unsafe-or-unknown
extern void reach_error(void);
typedef void (*action)(void);
static action choose(void) { return reach_error; }
int main(void) { choose()(); return 0; }
