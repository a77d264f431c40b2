// expect: unsafe
extern void reach_error(void);
int main(void) {
  int n = 16777217;
  float f = 16777216.0f;
  if (n == f && n != (double)f) reach_error();
  return 0;
}
