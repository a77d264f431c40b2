// expect: unsafe-or-unknown
// gcc: an enumeration without negative values is unsigned, its constants are int.
extern void reach_error(void);
enum e { ZERO, ONE };
int main(void) { enum e x = ZERO; if (x - 1 > 0 && ZERO - 1 < 0) reach_error(); return 0; }
