// expect: unsafe
extern void reach_error(void);
struct s { _Bool a : 1; unsigned b : 1; } s;
int main(void) { s.a = 2; s.b = 2; if (s.a && !s.b) reach_error(); return 0; }
