// expect: unsafe
extern void reach_error(void);
struct s { int a : 1; } s;
int main(void) { s.a = 1; if (s.a < 0) reach_error(); return 0; }
