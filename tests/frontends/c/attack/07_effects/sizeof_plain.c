// expect: safe
// The operand of sizeof is not evaluated where its type has a constant size.
extern void reach_error(void);
int main(void) { int n = 2; unsigned long s = sizeof(n++); if (n != 2 || s != 4) reach_error(); return 0; }
