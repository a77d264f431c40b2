// expect: unsafe-or-unknown
extern void reach_error(void);
struct { unsigned n : 5; } s = {3};
int main(void) { int m = -1; if (m < s.n) reach_error(); return 0; }
