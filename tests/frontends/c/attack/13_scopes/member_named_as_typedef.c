// expect: unsafe-or-unknown
extern void reach_error(void);
typedef int T;
struct s { T T; };
int main(void) { struct s s = {.T = 3}; if (s.T == 3) reach_error(); return 0; }
