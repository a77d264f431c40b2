// expect: unsafe-or-unknown
extern void reach_error(void);
struct { unsigned n : 4; } s = {15};
int main(void) { if (~s.n < 0) reach_error(); return 0; }
