// expect: unsafe-or-unknown
extern void reach_error(void);
int x = 8;
int main(void) { int x = sizeof x; if (x == 4) reach_error(); return 0; }
