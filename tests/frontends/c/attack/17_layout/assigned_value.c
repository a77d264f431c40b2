// expect: unsafe
extern void reach_error(void);
struct s { int a : 3; } s;
int main(void) { int x = s.a = 7; if (x == -1) reach_error(); return 0; }
