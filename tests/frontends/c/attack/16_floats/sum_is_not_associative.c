// expect: unsafe
extern void reach_error(void);
int main(void) {
  double a = 1e16, b = -1e16, c = 1.0;
  if ((a + b) + c != a + (b + c)) reach_error();
  return 0;
}
