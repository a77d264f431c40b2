// expect: unsafe-or-unknown
extern void reach_error(void);
enum { N = 3 };
static int f(int (*a)[N]) { return sizeof *a; }
int main(void) { enum { N = 5 }; if (f(0) == 12 && N == 5) reach_error(); return 0; }
