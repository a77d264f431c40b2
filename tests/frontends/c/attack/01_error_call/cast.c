// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { ((void (*)(void))reach_error)(); return 0; }
