// expect: unsafe
extern void reach_error(void);
/* The product is rounded to float at once, not to double first and then to float. */
int main(void) {
  float a = 0x1.000002p0f, b = 0x1.fffffep-1f;
  double exact = (double)a * b;
  if (a * b != exact) reach_error();
  return 0;
}
