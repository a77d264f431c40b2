// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int i = 7; for (int i = 0; i < 3; i++) { int i = 9; i++; } if (i == 7) reach_error(); return 0; }
