// expect: unsafe
extern void reach_error(void);
struct s { unsigned a : 31; } s;
int main(void) { if (s.a - 1 < 0) reach_error(); return 0; }
