// expect: safe
extern void reach_error(void);
/* Rounded to double first it would be halfway, and then even. */
int main(void) {
  float f = 1.00000017881393432617187500000001f;
  if (f != 0x1.000004p0f) reach_error();
  return 0;
}
