// expect: unknown  truth: argued
extern void reach_error(void);
double sin(double);
/* What the library gives is not known to the last bit. */
int main(void) {
  if (sin(1.0) > 0.84) reach_error();
  return 0;
}
