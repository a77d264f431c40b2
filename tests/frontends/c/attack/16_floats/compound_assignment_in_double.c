// expect: unsafe
extern void reach_error(void);
int main(void) {
  int i = 10;
  i *= 0.35;
  float f = 16777216.0f;
  f += 1.0;
  if (i == 3 && f == 16777216.0f) reach_error();
  return 0;
}
