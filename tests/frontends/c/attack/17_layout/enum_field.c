// expect: safe
// An enumeration without negative values is unsigned, and so are its fields.
extern void reach_error(void);
enum e { A, B, C, D }; struct s { enum e a : 2; } s;
int main(void) { s.a = D; if (s.a != D) reach_error(); return 0; }
