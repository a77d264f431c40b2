// expect: unsafe-or-unknown
extern void reach_error(void);
struct { int n : 3; } s;
int main(void) { s.n = 3; s.n++; if (s.n == -4) reach_error(); return 0; }
