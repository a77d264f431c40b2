// expect: safe
extern void reach_error(void);
struct s { unsigned a : 5, b : 11; int c : 9; } s = { 1, 2, -3 }, t;
int main(void) { t = s; s.b = 0; if (t.a != 1 || t.b != 2 || t.c != -3) reach_error(); return 0; }
