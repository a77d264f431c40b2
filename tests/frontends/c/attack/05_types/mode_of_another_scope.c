// expect: unsafe-or-unknown
// The attribute belongs to one declaration, not to the name.
extern void reach_error(void);
static int narrow(void) { int value __attribute__((mode(QI))) = 1; return sizeof value; }
int main(void) { int value = 300; if (narrow() == 1 && value == 300 && sizeof value == 4) reach_error(); return 0; }
