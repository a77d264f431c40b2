// expect: unsafe-or-unknown
extern void reach_error(void);
struct s { int a; int : 8; struct { int b; }; enum { ONE = 1 }; } x = {1};
int y;
int main(void) { y = ONE; if (y == 1) reach_error(); return 0; }
