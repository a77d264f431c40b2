// expect: unsafe-or-unknown
// The types of parameters are those of the place of the definition.
extern void reach_error(void);
typedef int T;
static int f(T x) { return x; }
int main(void) { typedef char T; T c = 1; if (f(300) == 300 && c) reach_error(); return 0; }
