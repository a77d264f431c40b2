// expect: unsafe-or-unknown
extern void reach_error(void);
int depth;
int main(void);
static int again(void) { return main() + 1; }
int main(void) { if (depth++) return 41; if (again() == 42) reach_error(); return 0; }
