// expect: unsafe-or-unknown
// What a list of parameters declares ends with the function.
extern void reach_error(void);
struct a { int x; };
enum { ONE = 1 };
int f(struct a { char y; } *p, enum { ONE = 5, TWO } e) { struct a v; return sizeof *p + sizeof v + ONE + TWO + sizeof e; }
int main(void) { if (sizeof(struct a) == 4 && ONE == 1 && f(0, 0) == 17) reach_error(); return 0; }
