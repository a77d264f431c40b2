// expect: unsafe-or-unknown
extern void reach_error(void);
struct { unsigned n : 3; } s;
int main(void) { int v = (s.n = 9); if (v == 1) reach_error(); return 0; }
