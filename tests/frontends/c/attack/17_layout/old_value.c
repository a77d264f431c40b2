// expect: safe
extern void reach_error(void);
struct s { unsigned a : 2; } s;
int main(void) { s.a = 3; unsigned x = s.a++; if (x != 3 || s.a != 0) reach_error(); return 0; }
