// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct s { int a; struct { short b[2]; } in; } s;
extern void run(void);
int main(void) { s.in.b[1] = 0; run(); if (s.in.b[1] == 42) reach_error(); return 0; }
