// expect: safe-or-unknown  truth: argued
// A jump that stays behind the declaration keeps the value.
extern void reach_error(void);
int main(void) { int n = 0; int x = 5; again: if (n++ == 0) goto again; if (x != 5) reach_error(); return 0; }
