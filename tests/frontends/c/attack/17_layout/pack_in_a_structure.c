// expect: safe-or-unknown  truth: argued
// Compilers do not agree on which value counts.
extern void reach_error(void);
struct a { char c;
#pragma pack(1)
  int i; };
int main(void) { struct a x = { 1, 2 }; if (x.i != 2) reach_error(); return 0; }
