// expect: safe
// A conversion to the type that the field is declared with is one all the same.
extern void reach_error(void);
struct s { unsigned a : 3; } s;
int main(void) { if ((unsigned)s.a - 1 < 0) reach_error(); return 0; }
