// expect: unsafe-or-unknown
extern void reach_error(void);
static void __attribute__((constructor)) h(void) { reach_error(); }
int main(void) { return 0; }
