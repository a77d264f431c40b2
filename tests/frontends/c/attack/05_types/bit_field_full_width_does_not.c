// expect: safe-or-unknown
extern void reach_error(void);
struct { unsigned n : 32; } s = {1};
int main(void) { if (s.n - 2 < 0) reach_error(); return 0; }
