// expect: unsafe-or-unknown
extern void reach_error(void);
enum e { MINUS = -1, ONE = 1 };
int main(void) { enum e x = MINUS; if (x < 0) reach_error(); return 0; }
