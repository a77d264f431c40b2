// expect: unsafe-or-unknown
extern void reach_error(void);
static int n;
static void __attribute__((constructor, destructor)) both(void) { if (++n == 2) reach_error(); }
int main(void) { return 0; }
