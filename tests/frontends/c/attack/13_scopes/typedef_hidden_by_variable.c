// expect: unsafe-or-unknown
extern void reach_error(void);
typedef int T;
int main(void) { int T = 3; int x = (T) + 1; if (x == 4) reach_error(); return 0; }
