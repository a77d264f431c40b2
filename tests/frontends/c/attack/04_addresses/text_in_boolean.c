// expect: safe-or-unknown
extern void reach_error(void);
int main(void) { _Bool b = "x"; if (!b) reach_error(); return 0; }
