// expect: safe
// Both orders give the same.
extern void reach_error(void);
int a, b;
static int left(void) { a = 1; return 1; }
static int right(void) { b = 2; return 2; }
int main(void) { if (left() + right() != 3 || a != 1 || b != 2) reach_error(); return 0; }
