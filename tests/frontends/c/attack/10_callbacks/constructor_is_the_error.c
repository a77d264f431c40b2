// expect: unsafe-or-unknown
extern void _exit(int);
void __attribute__((constructor)) reach_error(void) { _exit(107); }
int main(void) { return 0; }
