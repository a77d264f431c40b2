// expect: safe
extern void reach_error(void);
double given(x) float x; { return x; }
int main(void) {
  if (given(0.1) == 0.1 || given(0.1) != 0.1f) reach_error();
  return 0;
}
