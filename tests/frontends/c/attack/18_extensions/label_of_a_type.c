// expect: unsafe
extern void reach_error(void);
typedef int T;
int main(void) { goto T; return 0; T: reach_error(); return 1; }
