// expect: unknown  models: LP64 ILP32  truth: argued
extern void reach_error(void);
struct { unsigned a : 3; } x;
/* gcc promotes the value of x.a-- by the width of the field, clang by its type. */
int main(void) { if ((1 ? x.a-- : 0) - 9 < 0) reach_error(); return 0; }
