// expect: unsafe-or-unknown
extern void reach_error(void);
static int size(int x __attribute__((mode(QI)))) { return sizeof x; }
int main(void) { if (size(1) == 1) reach_error(); return 0; }
