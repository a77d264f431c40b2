// expect: unsafe-or-unknown
extern void reach_error(void);
static void apply(void (*f)(void)) { f(); }
int main(void) { apply(reach_error); return 0; }
