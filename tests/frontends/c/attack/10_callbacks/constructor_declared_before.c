// expect: unsafe-or-unknown
extern void reach_error(void);
static void h(void) __attribute__((constructor(101)));
static void h(void) { reach_error(); }
int main(void) { return 0; }
