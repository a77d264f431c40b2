// expect: unsafe-or-unknown
extern void reach_error(void);
int ready;
static void __attribute__((constructor)) h(void) { ready = 1; }
int main(void) { if (ready) reach_error(); return 0; }
