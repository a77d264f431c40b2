// expect: unsafe
extern void reach_error(void);
int main(void) {
  float plus = 0.0f, minus = -plus;
  union { float f; unsigned u; } p = { plus }, m = { minus };
  if (plus == minus && p.u != m.u && 1 / plus != 1 / minus) reach_error();
  return 0;
}
