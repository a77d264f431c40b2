// expect: unsafe-or-unknown  truth: argued
// What returns twice is no ordinary function: n is 1 when it returns again.
extern void reach_error(void);
extern int save(void) __attribute__((returns_twice));
extern void back(void);
int main(void) { int n = 0; save(); if (n == 1) reach_error(); n = 1; back(); return 0; }
