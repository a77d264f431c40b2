// expect: unsafe
extern void reach_error(void);
int main(void) { int i = 0; { __label__ l; l: if (++i < 3) goto l; } { __label__ l; l: if (++i < 6) goto l; }
  if (i == 6) reach_error(); return 0; }
