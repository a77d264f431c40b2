// expect: unsafe-or-unknown
extern void reach_error(void);
int g = 5;
int main(void) { int g = 1; { extern int g; if (g == 5) reach_error(); } return g - 1; }
